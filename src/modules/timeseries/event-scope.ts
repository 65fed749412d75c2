import { isRecord } from '../../catalog/model/index.js';

/** What all events that pass a filter have in common, as far as it can be told: it spares reading the others. */
export interface EventScope {
  /** The entities that they are of; undefined for any. */
  urns?: string[] | undefined;
  /** Epoch milliseconds, both ends included. */
  from?: number | undefined;
  to?: number | undefined;
}

type Criterion = Readonly<Record<string, unknown>>;

/** @param filter that `compileFilter` has taken */
export function scopeOf(filter: unknown): EventScope {
  const { or, criteria } = (isRecord(filter) ? filter : {}) as {
    or?: Array<{ and: Criterion[] }> | null;
    criteria?: Criterion[] | null;
  };
  const clauses = or?.map(({ and }) => and) ?? (criteria ? [criteria] : []);
  if (clauses.length === 0) return {};
  const urns = clauses.map(urnsOf);
  const froms = clauses.map((clause) => boundOf(clause, 'GREATER_THAN', Math.max));
  const tos = clauses.map((clause) => boundOf(clause, 'LESS_THAN', Math.min));
  return {
    urns: urns.includes(undefined) ? undefined : [...new Set(urns.flatMap((some) => some ?? []))],
    from: froms.includes(undefined) ? undefined : Math.min(...(froms as number[])),
    to: tos.includes(undefined) ? undefined : Math.max(...(tos as number[])),
  };
}

const valuesOf = ({ value, values }: Criterion): string[] =>
  (Array.isArray(values) && values.length > 0 ? (values as unknown[]) : [value]).map(String);

function urnsOf(clause: readonly Criterion[]): string[] | undefined {
  const equal = clause.find(
    ({ field, condition = 'EQUAL', negated }) =>
      field === 'urn' && (condition === 'EQUAL' || condition === 'IN') && negated !== true,
  );
  return equal && valuesOf(equal);
}

/** The bound that a clause sets to times. One that excludes its own end is taken as if it did not. */
function boundOf(
  clause: readonly Criterion[],
  condition: 'GREATER_THAN' | 'LESS_THAN',
  tighter: (...bounds: number[]) => number,
): number | undefined {
  const looser = condition === 'GREATER_THAN' ? Math.min : Math.max;
  const bounds = clause
    .filter(
      (criterion) =>
        criterion['field'] === 'timestampMillis' &&
        String(criterion['condition']).startsWith(condition) &&
        criterion['negated'] !== true,
    )
    // Several values are alternatives.
    .map((criterion) => looser(...valuesOf(criterion).map(Number)))
    .filter(Number.isSafeInteger);
  return bounds.length === 0 ? undefined : tighter(...bounds);
}
