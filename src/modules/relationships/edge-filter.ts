import { refuse } from '../../catalog/errors/index.js';
import { isRecord, type JsonSchema } from '../../catalog/model/index.js';
import { arrayOf, closed, withNulls, type DocumentSchemas } from '../../catalog/route/index.js';
import { MAX_CRITERIA, parseCriteria, SCALAR, type FilterCriterion } from '../../catalog/search/index.js';
import type { EdgeTest } from '../entities/index.js';
import type { RelationshipNames } from './relationship-names.js';

type EdgeFields = Readonly<Record<string, ReadonlyArray<EdgeTest['column']>>>;

/** The parts of an edge that a filter of the body may ask about, by the names it asks by. */
const FIELDS: Readonly<Record<string, EdgeFields>> = {
  sourceFilter: { urn: ['source.urn'], entityType: ['source.type'] },
  destinationFilter: { urn: ['target.urn'], entityType: ['target.type'] },
  // An edge has two ends: either of them will do.
  edgeFilter: { relationshipType: ['type'], urn: ['source.urn', 'target.urn'] },
};

/** What {@link readEdgeFilters} takes. */
export const edgeFilterSchema = (schemas: DocumentSchemas): JsonSchema =>
  withNulls({
    sourceFilter: filterOf(['urn', 'entityType']),
    destinationFilter: filterOf(['urn', 'entityType']),
    edgeFilter: filterOf(['relationshipType', 'urn'], {
      anyOf: [schemas.relationshipName('all', false), schemas.anyUrn()],
    }),
  });

function filterOf(fields: string[], value: JsonSchema = SCALAR): JsonSchema {
  const criterion = closed(
    {
      field: { type: 'string', enum: fields },
      condition: { type: ['string', 'null'], enum: ['EQUAL', null] },
      values: arrayOf(value),
    },
    ['field', 'values'],
  );
  const alternatives = arrayOf(closed({ criteria: arrayOf(criterion) }, ['criteria']));
  const description = 'Alternatives, in spite of the name: the criteria of one of them must hold.';
  return closed({ and: { ...alternatives, description } }, ['and']);
}

/**
 * Reads `{sourceFilter?, destinationFilter?, edgeFilter?}`, each `{and: [{criteria: [criterion]}]}`: alternatives in spite of
 * the name, as clients mean it. An edge fits when one of each filter holds.
 */
export function readEdgeFilters(body: unknown, names: RelationshipNames): EdgeTest[][] {
  if (body === undefined) return [[]];
  if (!isRecord(body)) throw refuse('FILTER_INVALID', 'the body must be an object of filters', '');
  return Object.entries(body).reduce<EdgeTest[][]>(
    (any, [name, filter]) => each(any, readEdgeFilter(name, filter, names), `/${name}`),
    [[]],
  );
}

/** Each alternative of the one with each of the other. @throws CatalogError FILTER_INVALID when that makes too many */
function each(one: EdgeTest[][], other: EdgeTest[][], pointer: string): EdgeTest[][] {
  if (other.length === 0) return one;
  const count = one.flat().length * other.length + other.flat().length * one.length;
  if (count > MAX_CRITERIA) {
    const message = `filters have at most ${MAX_CRITERIA} criteria, these together ${count}`;
    throw refuse('FILTER_INVALID', message, pointer);
  }
  return one.flatMap((tests) => other.map((more) => [...tests, ...more]));
}

function readEdgeFilter(name: string, filter: unknown, names: RelationshipNames): EdgeTest[][] {
  const fields = FIELDS[name];
  if (fields === undefined) {
    const message = `there is no "${name}", only ${Object.keys(FIELDS).join(', ')}`;
    throw refuse('FILTER_INVALID', message, `/${name}`);
  }
  if (filter === null) return [];
  if (!isRecord(filter) || !Array.isArray(filter['and']))
    throw refuse('FILTER_INVALID', 'a filter is an object with the list "and"', `/${name}`);
  return filter['and'].flatMap((part: unknown, i) => {
    const at = `/${name}/and/${i}`;
    if (!isRecord(part)) throw refuse('FILTER_INVALID', 'each part is an object with "criteria"', at);
    return parseCriteria(part['criteria'], `${at}/criteria`).reduce<EdgeTest[][]>(
      (any, criterion) => each(any, alternativesOf(criterion, name, fields, names), criterion.pointer),
      [[]],
    );
  });
}

/** What an edge must fit for one criterion: one of these. */
function alternativesOf(
  { field, condition, values, negated, pointer }: FilterCriterion,
  name: string,
  fields: EdgeFields,
  names: RelationshipNames,
): EdgeTest[][] {
  const columns = fields[field];
  if (columns === undefined) {
    const message = `${name} knows ${Object.keys(fields).join(' and ')}, not "${field}"`;
    throw refuse('FILTER_INVALID', message, `${pointer}/field`);
  }
  if (condition !== 'EQUAL' && condition !== 'IN')
    throw refuse('FILTER_INVALID', 'edges can be compared with EQUAL only', `${pointer}/condition`);
  if (columns.includes('type')) names.check(values, (k) => `${pointer}/values/${k}`);
  const tests = columns.map((column): EdgeTest => ({ column, values, negated }));
  return negated ? [tests] : tests.map((test) => [test]);
}
