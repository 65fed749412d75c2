import type { JsonSchema } from '../model/index.js';
// Of the declarations only what says them: the threads of the search index load this file, and check no request.
import { parsed, type DocumentSchemas } from '../route/schema.js';
import { FILTER_CONDITIONS } from './search-filter.js';

const closed = (properties: Record<string, JsonSchema>, required?: string[]): JsonSchema => ({
  type: 'object',
  ...(required && { required }),
  additionalProperties: false,
  properties,
});
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
/** Clients send null for a list that they do not have. */
const listOrNull = (items: JsonSchema): JsonSchema => ({ type: ['array', 'null'], items });

/** Text, a number or a flag, as criteria take values. */
export const SCALAR: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] };

const criterion = (schemas: DocumentSchemas): JsonSchema =>
  schemas.component('AspectApiCriterion', () =>
    closed(
      {
        field: { type: 'string', minLength: 1 },
        condition: { type: ['string', 'null'], enum: [...FILTER_CONDITIONS, null] },
        values: { type: 'array', items: SCALAR, description: 'Any of them.' },
        value: { type: ['string', 'null'], description: 'The older form of one value.' },
        negated: { type: ['boolean', 'null'] },
      },
      ['field', 'values'],
    ),
  );

const filter = (schemas: DocumentSchemas): JsonSchema =>
  schemas.component('AspectApiFilter', () => ({
    description: 'Any of `or`, each of which holds if all of its criteria do; or the older list of criteria.',
    anyOf: [
      schemas.component('AspectApiOrFilter', () =>
        closed({
          or: listOrNull(
            schemas.component('AspectApiAndFilter', () =>
              closed({ and: listOf(criterion(schemas)) }, ['and']),
            ),
          ),
        }),
      ),
      schemas.component('AspectApiCriteria', () => closed({ criteria: listOrNull(criterion(schemas)) })),
      { type: 'null' },
    ],
  }));

/** A filter as the aspect API takes it: what `parseFilter` understands. */
export const filterParameter = parsed('{or: [{and: [{field, values, condition, negated}]}]}', filter);
