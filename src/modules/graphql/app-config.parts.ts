import type { Type } from '@nestjs/common';
import { Field, Int, ObjectType, registerEnumType, type ReturnTypeFunc } from '@nestjs/graphql';
import { EntityType, enumOf, optional } from './types/index.js';

/** Features of a web client that the service can serve. */
const ON = [
  'metricsEnabled',
  'themeV2Enabled',
  'themeV2Default',
  'showNavBarRedesign',
  'showBrowseV2',
  'platformBrowseV2',
  'showSearchFiltersV2',
  'lineageGraphV2',
  'lineageGraphV3',
  'nestedDomainsEnabled',
  'showManageStructuredProperties',
  'assetSummaryPageV1',
] as const;
/** Features that it has no answers for, or that are a matter of taste. */
const OFF = [
  'readOnlyModeEnabled',
  'showAcrylInfo',
  'erModelRelationshipFeatureEnabled',
  'showAccessManagement',
  'businessAttributeEntityEnabled',
  'contextDocumentsEnabled',
  'dataContractsEnabled',
  'editableDatasetNameEnabled',
  'themeV2Toggleable',
  'showSeparateSiblings',
  'schemaFieldCLLEnabled',
  'hideDbtSourceInLineage',
  'schemaFieldLineageIgnoreStatus',
  'showAutoCompleteResults',
  'entityVersioningEnabled',
  'showHasSiblingsFilter',
  'showSearchBarAutocompleteRedesign',
  'showManageTags',
  'showIntroducePage',
  'showIngestionPageRedesign',
  'showLineageExpandMore',
  'showLineageFilterNodes',
  'showStatsTabRedesign',
  'showHomePageRedesign',
  'showDefaultExternalLinks',
  'showProductUpdates',
  'logicalModelsEnabled',
  'showHomepageUserRole',
  'datasetSummaryPageV1',
  'ingestionOnboardingRedesignV1',
  'documentationFileUploadV1',
  'hideLineageInSearchCards',
  'dataProductLineageEnabled',
  'glossaryBasedPoliciesEnabled',
  'multipleDataProductsPerAsset',
  'showTestsInHealthIcon',
  'i18nEnabled',
  'browserTracingEnabled',
  'browserWebVitalsEnabled',
] as const;

@ObjectType('FeatureFlagsConfig', {
  description: 'Which features a web client may show: those that the service has answers for.',
})
export class FeatureFlagsConfig {}
for (const flag of ON)
  Field(() => Boolean, { description: 'Always true.' })(FeatureFlagsConfig.prototype, flag);
for (const flag of OFF)
  Field(() => Boolean, { description: 'Always false.' })(FeatureFlagsConfig.prototype, flag);

export const FEATURE_FLAGS: FeatureFlagsConfig = Object.fromEntries<boolean>([
  ...ON.map((flag) => [flag, true] as const),
  ...OFF.map((flag) => [flag, false] as const),
]);

type Members = Readonly<Record<string, ReturnTypeFunc>>;

/** A type whose fields are said in one go: `required` are never null. */
function partType(
  name: string,
  description: string,
  required: Members,
  nullable: Members = {},
): Type<object> {
  @ObjectType(name, { description })
  class Part {}
  for (const [member, type] of Object.entries(required)) Field(type)(Part.prototype, member);
  for (const [member, type] of Object.entries(nullable)) Field(type, optional)(Part.prototype, member);
  return Part;
}

const flag = () => Boolean;
const text = () => String;

const SearchBarAPI = enumOf(['AUTOCOMPLETE_FOR_MULTIPLE', 'SEARCH_ACROSS_ENTITIES']);
registerEnumType(SearchBarAPI, {
  name: 'SearchBarAPI',
  description: 'What a search box asks while one types.',
});

const PersonalSidebarSection = enumOf([
  'YOUR_GROUPS',
  'YOUR_ASSETS',
  'YOUR_DOMAINS',
  'YOUR_GLOSSARY_NODES',
  'YOUR_TAGS',
]);
registerEnumType(PersonalSidebarSection, {
  name: 'PersonalSidebarSection',
  description: 'What stands first beside a home page.',
});

const Privilege = partType(
  'Privilege',
  'One thing that may be allowed.',
  { type: text },
  {
    displayName: text,
    description: text,
  },
);
const ResourcePrivileges = partType(
  'ResourcePrivileges',
  'What may be allowed on resources of one type.',
  { resourceType: text, privileges: () => [Privilege] },
  { resourceTypeDisplayName: text, entityType: () => EntityType },
);
const Queries = partType(
  'QueriesTabConfig',
  'How queries are shown.',
  {},
  { queriesTabResultSize: () => Int },
);
const Profile = partType('EntityProfileConfig', 'How pages of one type begin.', {}, { defaultTab: text });
const Profiles = partType('EntityProfilesConfig', 'How pages begin.', {}, { domain: () => Profile });
const Hits = partType('SearchResultsVisualConfig', 'How hits are shown.', {}, { enableNameHighlight: flag });
const Theme = partType('ThemeConfig', 'Colours.', {}, { themeId: text });
const Applications = partType(
  'ApplicationConfig',
  'How applications are shown.',
  {},
  {
    showSidebarSectionWhenEmpty: flag,
    showApplicationInNavigation: flag,
  },
);

interface ConfigPart {
  readonly type: Type<object>;
  readonly description: string;
  readonly value: object;
}

const enabled = { enabled: flag };

/** Parts of the configuration that are the same in every installation. */
export const PARTS: Readonly<Record<string, ConfigPart>> = {
  policiesConfig: {
    type: partType('PoliciesConfig', 'Rules about who may do what.', {
      ...enabled,
      platformPrivileges: () => [Privilege],
      resourcePrivileges: () => [ResourcePrivileges],
    }),
    description: 'On: policies narrow what the roles of tokens allow.',
    value: { enabled: true, platformPrivileges: [], resourcePrivileges: [] },
  },
  analyticsConfig: {
    type: partType('AnalyticsConfig', 'Pages of usage.', enabled),
    description: 'Off: usage of the service is not recorded.',
    value: { enabled: false },
  },
  authConfig: {
    type: partType('AuthConfig', 'How callers are known.', { tokenAuthEnabled: flag }),
    description: 'By access tokens.',
    value: { tokenAuthEnabled: true },
  },
  identityManagementConfig: {
    type: partType('IdentityManagementConfig', 'Users and groups.', enabled),
    description: 'On.',
    value: { enabled: true },
  },
  lineageConfig: {
    type: partType('LineageConfig', 'Lineage.', { supportsImpactAnalysis: flag }),
    description: 'On: searchAcrossLineage finds what lies any number of steps away.',
    value: { supportsImpactAnalysis: true },
  },
  managedIngestionConfig: {
    type: partType('ManagedIngestionConfig', 'Ingestion that the service runs itself.', enabled),
    description: 'Off: sources are kept, and run by the command line.',
    value: { enabled: false },
  },
  visualConfig: {
    type: partType(
      'VisualConfig',
      'How a web client looks.',
      {},
      {
        logoUrl: text,
        faviconUrl: text,
        showFullTitleInLineage: flag,
        queriesTab: () => Queries,
        entityProfiles: () => Profiles,
        searchResult: () => Hits,
        theme: () => Theme,
        application: () => Applications,
      },
    ),
    description: 'Left to the client.',
    value: { searchResult: { enableNameHighlight: true }, queriesTab: { queriesTabResultSize: 5 } },
  },
  testsConfig: {
    type: partType('TestsConfig', 'Tests of metadata.', enabled),
    description: 'Off: the service runs none.',
    value: { enabled: false },
  },
  viewsConfig: {
    type: partType('ViewsConfig', 'Views, which narrow a search.', enabled),
    description: 'On: searches take a view.',
    value: { enabled: true },
  },
  searchBarConfig: {
    type: partType('SearchBarConfig', 'The search box.', { apiVariant: () => SearchBarAPI }),
    description: 'Asks for completions.',
    value: { apiVariant: 'AUTOCOMPLETE_FOR_MULTIPLE' },
  },
  searchCardConfig: {
    type: partType('SearchCardConfig', 'How a hit is shown.', { showDescription: flag }),
    description: 'With its description.',
    value: { showDescription: true },
  },
  searchFlagsConfig: {
    type: partType('SearchFlagsConfig', 'Flags of searches.', { defaultSkipHighlighting: flag }),
    description: 'The defaults of the service.',
    value: { defaultSkipHighlighting: false },
  },
  homePageConfig: {
    type: partType('HomePageConfig', 'The home page.', {
      firstInPersonalSidebar: () => PersonalSidebarSection,
    }),
    description: 'Left to the client.',
    value: { firstInPersonalSidebar: 'YOUR_ASSETS' },
  },
  chromeExtensionConfig: {
    type: partType('ChromeExtensionConfig', 'An extension of browsers.', {
      ...enabled,
      lineageEnabled: flag,
    }),
    description: 'Off: there is none.',
    value: { enabled: false, lineageEnabled: false },
  },
};
