const PAGE = [
  'count',
  'scrollId',
  'includeSoftDelete',
  'skipCache',
  'sliceId',
  'sliceMax',
  'pitKeepAlive',
] as const;
const LIST = [...PAGE, 'query', 'sort', 'sortCriteria', 'sortOrder', 'systemMetadata'] as const;
const ASPECTS = ['aspects', 'aspectNames'] as const;
const WRITE = [
  'async',
  'systemMetadata',
  'createIfNotExists',
  'createIfEntityNotExists',
  // How some clients write it. It has no meaning of its own.
  'createEntityIfNotExists',
] as const;

/**
 * The query parameters of each operation of the entity endpoints: those of the API document, and other spellings that
 * clients have. Any other name is refused, so that neither a misspelt one is ignored, nor one of another operation.
 */
export const OPERATION_PARAMETERS = {
  list: [...ASPECTS, ...LIST],
  scroll: [...LIST, 'skipAggregation', 'scrollIdPerEntity'],
  readEntity: [...ASPECTS, 'systemMetadata'],
  entityExists: ['includeSoftDelete'],
  readAspect: ['version', 'systemMetadata'],
  aspectExists: [],
  batchGet: ['systemMetadata'],
  write: WRITE,
  deleteEntity: [...ASPECTS, 'clear', 'async'],
  deleteAspect: ['async'],
} as const satisfies Record<string, readonly string[]>;

export type Operation = keyof typeof OPERATION_PARAMETERS;
