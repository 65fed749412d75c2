import type { EntitySpec } from '../model/specs.js';
import type { FieldValue } from './search-query.js';

/**
 * Holds the static boost of each document: what its score for the words of a query is multiplied by. The stored name is
 * older than the term; another one would build every index again.
 */
export const STATIC_BOOST_FIELD = '_standing';

/** Where an entity says of which environment it is. */
const ENVIRONMENT_FIELDS = ['origin', 'env'];
/** What people work with. Anything else is a copy, a trial or a stage on the way there. */
const LIVE_ENVIRONMENTS: ReadonlySet<string> = new Set(['PROD', 'PRD']);
const NOT_LIVE = 0.25;

/** What an entity has of all that can be said about it counts for this much. */
const COMPLETENESS_SHARE = 0.4;

type Fields = Readonly<Record<string, readonly FieldValue[]>>;

/**
 * How much an entity counts against others that fit a query equally well: the weights that the model gives to values
 * (deprecated: half), a quarter outside the live environment, and more for what people have described, owned and
 * tagged. It depends on the entity alone, so every engine can keep it as a number.
 */
export function staticBoostOf(entity: EntitySpec, fields: Fields): number {
  let staticBoost = 1 - COMPLETENESS_SHARE + COMPLETENESS_SHARE * completeness(entity, fields);
  for (const [field, weights] of weightedFields(entity)) {
    for (const value of fields[field] ?? []) {
      if (Object.hasOwn(weights, String(value))) staticBoost *= weights[String(value)]!;
    }
  }
  const environment = ENVIRONMENT_FIELDS.flatMap((field) => fields[field] ?? [])[0];
  if (environment !== undefined && !LIVE_ENVIRONMENTS.has(String(environment))) staticBoost *= NOT_LIVE;
  // Few distinct values, so that engines can keep the documents of each together.
  return Math.round(staticBoost * 100) / 100;
}

/**
 * The part of the presence marks (has a description, has owners, ...) that hold. Only those of fields that a search
 * looks into: they are what people say about it. Lineage, incidents and test results are not to its credit.
 */
function completeness(entity: EntitySpec, fields: Fields): number {
  const marks = presenceFields(entity);
  if (marks.length === 0) return 1;
  return marks.filter((field) => fields[field]?.includes(true)).length / marks.length;
}

const presence = new WeakMap<EntitySpec, string[]>();
const weighted = new WeakMap<EntitySpec, Array<readonly [string, Readonly<Record<string, number>>]>>();

function presenceFields(entity: EntitySpec): string[] {
  let found = presence.get(entity);
  if (!found) {
    const names = marksOf(entity).flatMap((m) => (m.queryByDefault ? (m.hasValuesField ?? []) : []));
    presence.set(entity, (found = [...new Set(names)]));
  }
  return found;
}

function weightedFields(entity: EntitySpec) {
  let found = weighted.get(entity);
  if (!found) {
    const byField = new Map(
      marksOf(entity).flatMap((m) => (m.weights ? [[m.field, m.weights] as const] : [])),
    );
    weighted.set(entity, (found = [...byField]));
  }
  return found;
}

function marksOf(entity: EntitySpec) {
  return [...entity.aspects.values()]
    .filter((aspect) => aspect.kind === 'versioned')
    .flatMap((a) => a.search);
}
