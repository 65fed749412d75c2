import {
  ALL,
  allOf,
  anyOf,
  ENTITY_TYPE_FIELD,
  NONE,
  not,
  type QueryNode,
} from '../../catalog/search/index.js';

/** What a policy asks of the values that an entity has in a field of the search index. */
export interface Condition {
  readonly field: string;
  /** `equal`: has one of the values; `starts`: has a value that begins with one; `not`: has none of them. */
  readonly is: 'equal' | 'starts' | 'not';
  readonly values: ReadonlySet<string>;
}

/** All conditions must hold; without any, every entity is meant. */
export type Clause = readonly Condition[];

/** The values that an entity has in a field. */
export type ValuesOf = (field: string) => ReadonlySet<string>;

/** Which entities something is allowed on: those of an allowing clause, without those of a denying one. */
export class Rule {
  private readonly allow: readonly Clause[];
  private readonly deny: readonly Clause[];
  /** Whether it is allowed on every entity. */
  readonly always: boolean;

  constructor(allow: readonly Clause[], deny: readonly Clause[]) {
    this.allow = joined(allow);
    this.deny = joined(deny);
    this.always = this.deny.length === 0 && this.allow.some((clause) => clause.length === 0);
  }

  /** Names of the fields that it looks at. */
  get fields(): Set<string> {
    return new Set([...this.allow, ...this.deny].flat().map(({ field }) => field));
  }

  allows(valuesOf: ValuesOf): boolean {
    return !this.deny.some((clause) => holds(clause, valuesOf)) && this.allow.some((c) => holds(c, valuesOf));
  }

  /** The same as a filter of the search index. */
  query(): QueryNode {
    return allOf([anyOf(this.allow.map(queryOf)), ...this.deny.map((clause) => not(queryOf(clause)))]);
  }
}

function holds(clause: Clause, valuesOf: ValuesOf): boolean {
  return clause.every(({ field, is, values }) => {
    const own = valuesOf(field);
    if (is === 'equal') return intersects(own, values);
    if (is === 'not') return !intersects(own, values);
    return [...own].some((value) => [...values].some((start) => value.startsWith(start)));
  });
}

function intersects(own: ReadonlySet<string>, values: ReadonlySet<string>): boolean {
  for (const value of own) if (values.has(value)) return true;
  return false;
}

function queryOf(clause: Clause): QueryNode {
  return allOf(
    clause.map(({ field, is, values }): QueryNode => {
      if (is === 'starts')
        return anyOf(
          [...values].map((text) => ({
            op: 'field',
            field,
            test: { is: 'starts', text, ignoreCase: false },
          })),
        );
      const none = values.size === 0;
      const equal: QueryNode = none
        ? NONE
        : { op: 'field', field, test: { is: 'equal', values: [...values] } };
      return is === 'equal' ? equal : none ? ALL : not(equal);
    }),
  );
}

/**
 * The same clauses, fewer of them: those that differ in the values of one field only become one. A thousand policies
 * on a domain each are one test of a field.
 */
function joined(clauses: readonly Clause[]): Clause[] {
  if (clauses.some((clause) => clause.length === 0)) return [[]];
  const joins = new Map<string, { rest: Clause; pivot: Condition; values: Set<string> }>();
  const others: Clause[] = [];
  for (const clause of clauses) {
    const pivot =
      clause.find(({ is, field }) => is === 'equal' && field !== ENTITY_TYPE_FIELD) ??
      clause.find(({ is }) => is === 'equal');
    if (pivot === undefined) {
      others.push(clause);
      continue;
    }
    const rest = clause.filter((condition) => condition !== pivot);
    const key = JSON.stringify([pivot.field, rest.map(({ field, is, values }) => [field, is, ...values])]);
    const known = joins.get(key);
    if (known) for (const value of pivot.values) known.values.add(value);
    else joins.set(key, { rest, pivot, values: new Set(pivot.values) });
  }
  return [
    ...others,
    ...[...joins.values()].map(({ rest, pivot, values }) => [{ ...pivot, values }, ...rest]),
  ];
}
