import { columnUrn } from '../../../catalog/urn/index.js';
import { isRecord } from '../../../catalog/model/index.js';
import { eachInSteps, ITEMS_A_STEP, type Steps } from '../../../catalog/schedule/index.js';
import { sameJson } from '../../../catalog/json/same-json.js';
import type { Category, ChangeEvent, Differ, Value } from '../change-event.js';
import { allKeys, compare, eachKeyed, keyed, numbered } from './keyed.js';

/** A kind of URN that is attached to entities, and where it is found in the aspect that holds it. */
interface Label {
  category: Category;
  /** For people. */
  noun: string;
  /** Name of the parameter that carries the URN. */
  parameter: string;
  entries(value: unknown): Steps<Map<string, Record<string, unknown>>>;
  /** URN of an entry, where its key is more than that. */
  urn?(entry: Record<string, unknown>): string;
  /** Further parameters. */
  more?(entry: Record<string, unknown>): Record<string, unknown>;
  /** Whether the content of an entry counts beside its being there. */
  hasContent?: boolean;
}

/** A list of plain URNs, as records. */
const plainUrns = (field: string) => (value: unknown) => {
  const list = isRecord(value) ? value[field] : undefined;
  const urns = Array.isArray(list) ? list.filter((urn) => typeof urn === 'string') : [];
  return numbered(urns.map((urn) => [urn, { urn }]));
};

const TAG: Label = {
  category: 'TAG',
  noun: 'Tag',
  parameter: 'tagUrn',
  entries: (value) => eachKeyed(value, 'tags', (entry) => entry['tag']),
};
const TERM: Label = {
  category: 'GLOSSARY_TERM',
  noun: 'Glossary term',
  parameter: 'termUrn',
  entries: (value) => eachKeyed(value, 'terms', (entry) => entry['urn']),
};
const OWNER: Label = {
  category: 'OWNERSHIP',
  noun: 'Owner',
  parameter: 'ownerUrn',
  entries: (value) =>
    eachKeyed(value, 'owners', (entry) => [entry['owner'], entry['type'], entry['typeUrn'] ?? ''].join('\n')),
  urn: (entry) => String(entry['owner']),
  more: ({ type, typeUrn }) => ({ ownerType: type, ...(typeUrn !== undefined && { ownerTypeUrn: typeUrn }) }),
};
const PROPERTY: Label = {
  category: 'STRUCTURED_PROPERTY',
  noun: 'Structured property',
  parameter: 'propertyUrn',
  entries: (value) => eachKeyed(value, 'properties', (entry) => entry['propertyUrn']),
  more: ({ values }) => ({ propertyValues: values }),
  hasContent: true,
};
const DOMAIN: Label = {
  category: 'DOMAIN',
  noun: 'Domain',
  parameter: 'domainUrn',
  entries: plainUrns('domains'),
};
const APPLICATION: Label = {
  category: 'APPLICATION',
  noun: 'Application',
  parameter: 'applicationUrn',
  entries: plainUrns('applications'),
};
/** What is part of a data product. */
const ASSET: Label = {
  category: 'ASSET_MEMBERSHIP',
  noun: 'Asset',
  parameter: 'assetUrn',
  entries: (value) => eachKeyed(value, 'assets', (entry) => entry['destinationUrn']),
};
/** Which version an entity is of what. That a later one came changes nothing of this one. */
const VERSION: Label = {
  category: 'VERSIONING',
  noun: 'Version set',
  parameter: 'versionSetUrn',
  *entries(value) {
    const { versionSet, version } = isRecord(value) ? value : {};
    const tag = isRecord(version) ? version['versionTag'] : undefined;
    return yield* numbered(typeof versionSet === 'string' ? [[versionSet, { versionTag: tag }]] : []);
  },
  more: ({ versionTag }) => ({ versionTag }),
  hasContent: true,
};

/** Labels of the whole entity, by the aspect that holds them. */
export const ENTITY_LABELS: Readonly<Record<string, Differ>> = {
  globalTags: onEntity(TAG),
  glossaryTerms: onEntity(TERM),
  ownership: onEntity(OWNER),
  structuredProperties: onEntity(PROPERTY),
  domains: onEntity(DOMAIN),
  applications: onEntity(APPLICATION),
  dataProductProperties: onEntity(ASSET),
  versionProperties: onEntity(VERSION),
};

/** Tags and terms of columns, by the aspect that holds the columns. */
export const COLUMN_LABELS: Readonly<Record<string, readonly Differ[]>> = {
  schemaMetadata: [onColumns(TAG, 'globalTags', 'fields'), onColumns(TERM, 'glossaryTerms', 'fields')],
  editableSchemaMetadata: [
    onColumns(TAG, 'globalTags', 'editableSchemaFieldInfo'),
    onColumns(TERM, 'glossaryTerms', 'editableSchemaFieldInfo'),
  ],
};

function onEntity(label: Label): Differ {
  const { category } = label;
  return { category, diff: (urn, before, after) => diffLabels(label, urn, before, after) };
}

function onColumns(label: Label, holder: string, list: string): Differ {
  const columns = (value: Value) => keyed(value, list, (entry) => entry['fieldPath']);
  return {
    category: label.category,
    *diff(urn, before, after) {
      const [then, now] = [yield* columns(before), yield* columns(after)];
      const events: ChangeEvent[] = [];
      let looked = 0;
      for (const fieldPath of allKeys(then, now)) {
        looked += 1;
        if (looked % ITEMS_A_STEP === 0) yield;
        const [old, labels] = [then.get(fieldPath)?.[holder], now.get(fieldPath)?.[holder]];
        if (old === undefined && labels === undefined) continue;
        const found = yield* diffLabels(label, columnUrn(urn, fieldPath), old, labels, fieldPath);
        for (const event of found) events.push(event);
      }
      return events;
    },
  };
}

function* diffLabels(
  label: Label,
  entityUrn: string,
  before: unknown,
  after: unknown,
  fieldPath?: string,
): Steps<ChangeEvent[]> {
  const { added, removed, both } = yield* compare(yield* label.entries(before), yield* label.entries(after));
  const event = (operation: keyof typeof WORDS, key: string, entry: Record<string, unknown>): ChangeEvent => {
    // A URN that is there again has a number behind it.
    const modifier = label.urn?.(entry) ?? key.split('\n', 1)[0]!;
    const where = fieldPath === undefined ? entityUrn : `column ${fieldPath}`;
    return {
      category: label.category,
      operation,
      entityUrn,
      modifier,
      parameters: {
        [label.parameter]: modifier,
        ...(fieldPath !== undefined && { fieldPath }),
        ...label.more?.(entry),
      },
      semVerChange: 'MINOR',
      description: `${label.noun} ${modifier} ${WORDS[operation]} ${where}.`,
    };
  };
  const events: ChangeEvent[] = [];
  yield* eachInSteps(removed, ([key, entry]) => events.push(event('REMOVE', key, entry)));
  yield* eachInSteps(added, ([key, entry]) => events.push(event('ADD', key, entry)));
  yield* eachInSteps(label.hasContent ? both : [], ([key, then, now]) => {
    if (!sameJson(then, now)) events.push(event('MODIFY', key, now));
  });
  return events;
}

const WORDS = {
  ADD: 'was added to',
  REMOVE: 'was removed from',
  MODIFY: 'was changed on',
};
