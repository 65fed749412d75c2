import { refuse } from '../errors/index.js';
import { jsonPointer } from '../json/index.js';
import { isRecord } from '../model/json-schema.js';
import type { SortKey } from './search-request.js';

/** Where documents without a value come, as the API documents have it. */
export const SORT_MISSING_VALUE = {
  type: ['string', 'null'],
  enum: ['_last', 'LAST', null],
  description: 'What has no value comes last in either order.',
};

const KEYS = ['field', 'order', 'missingValue'];

/**
 * A criterion `{field, order?, missingValue?}` of the order of hits.
 * @throws CatalogError PARAMETER_INVALID
 */
export function parseSortCriterion(value: unknown, pointer: string): SortKey {
  if (!isRecord(value)) throw refuse('PARAMETER_INVALID', 'a sort criterion must be an object', pointer);
  const { field, order, missingValue } = value;
  if (typeof field !== 'string' || field === '')
    throw refuse('PARAMETER_INVALID', '"field" must name the field to sort by', `${pointer}/field`);
  if (order !== undefined && order !== null && order !== 'ASCENDING' && order !== 'DESCENDING')
    throw refuse('PARAMETER_INVALID', '"order" must be ASCENDING or DESCENDING', `${pointer}/order`);
  if (
    missingValue !== undefined &&
    missingValue !== null &&
    missingValue !== '_last' &&
    missingValue !== 'LAST'
  )
    throw refuse(
      'PARAMETER_INVALID',
      'what has no value comes last in either order: "missingValue" can only be "_last"',
      `${pointer}/missingValue`,
    );
  const unknownName = Object.keys(value).find((name) => !KEYS.includes(name));
  if (unknownName !== undefined)
    throw refuse(
      'PARAMETER_INVALID',
      `unknown property "${unknownName}" of a sort criterion, known are ${KEYS.join(', ')}`,
      pointer + jsonPointer([unknownName]),
    );
  return { field, descending: order === 'DESCENDING' };
}
