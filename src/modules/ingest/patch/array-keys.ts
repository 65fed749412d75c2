/**
 * How the elements of an array are told apart when a patch names them by key. Each key is a path inside the
 * element; `[]` is the element itself.
 */
export type ArrayKeys = readonly (readonly string[])[];

/** Separates the parts of a nested key in `arrayPrimaryKeys`, e.g. `attribution␟source`. */
export const KEY_PATH_SEPARATOR = '\u241f';

const ITSELF: ArrayKeys = [[]];
const DESTINATION: ArrayKeys = [['destinationUrn']];
const TAGS: ArrayKeys = [['tag']];
const TERMS: ArrayKeys = [['urn']];

/**
 * Keys of the arrays that a patch may address without sending `arrayPrimaryKeys`, by aspect and by the path of
 * the array (`*` = each element of an array further out).
 */
export const BUILT_IN_ARRAY_KEYS: Readonly<Record<string, Readonly<Record<string, ArrayKeys>>>> = {
  globalTags: { tags: TAGS },
  glossaryTerms: { terms: TERMS },
  ownership: { owners: [['owner'], ['type']] },
  domains: { domains: ITSELF },
  siblings: { siblings: ITSELF },
  structuredProperties: { properties: [['propertyUrn']] },
  institutionalMemory: { elements: [['url']] },
  editableSchemaMetadata: {
    editableSchemaFieldInfo: [['fieldPath']],
    'editableSchemaFieldInfo/*/globalTags/tags': TAGS,
    'editableSchemaFieldInfo/*/glossaryTerms/terms': TERMS,
  },
  schemaMetadata: {
    fields: [['fieldPath']],
    'fields/*/globalTags/tags': TAGS,
    'fields/*/glossaryTerms/terms': TERMS,
  },
  upstreamLineage: { upstreams: [['dataset']] },
  chartInfo: { inputEdges: DESTINATION },
  dashboardInfo: {
    charts: ITSELF,
    datasets: ITSELF,
    chartEdges: DESTINATION,
    datasetEdges: DESTINATION,
    dashboards: DESTINATION,
  },
  dataJobInputOutput: {
    inputDatasets: ITSELF,
    outputDatasets: ITSELF,
    inputDatajobs: ITSELF,
    inputDatasetFields: ITSELF,
    outputDatasetFields: ITSELF,
    inputDatasetEdges: DESTINATION,
    outputDatasetEdges: DESTINATION,
    inputDatajobEdges: DESTINATION,
  },
  propertyDefinition: { entityTypes: ITSELF, allowedValues: [['value']] },
  dataProductProperties: { assets: DESTINATION },
  formInfo: { prompts: [['id']] },
};
