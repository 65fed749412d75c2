/** What an entity file says of its type in GraphQL, where clients know it by other names than those of the model. */
export interface GraphqlEntitySpec {
  /** Name of the type. */
  readonly type?: string;
  /** Name of the query by URN. */
  readonly query?: string;
  /** The aspect whose properties the type has as fields of its own. */
  readonly fieldsOf?: string;
  /** Names of such fields, by property. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Properties that are no such fields. */
  readonly without?: readonly string[];
}

/** Events that come in an object that also counts them. */
export interface CountedEvents {
  /** Name of the type of the object. */
  readonly type: string;
  /** The member that holds the events. */
  readonly member: string;
  /** Where an event says what kind it is. */
  readonly path: readonly string[];
  /** Kinds that are counted, by the member that has the number. */
  readonly counts: Readonly<Record<string, string>>;
  /** A property of the events, an enum: the field takes a value of it, and answers only events that have it. */
  readonly argument?: string;
}

/** What `x-graphql` says of a record, an aspect or a property. */
export interface GraphqlMark {
  /** Of a record or enum: name of its type. */
  readonly type?: string;
  /** Of an aspect: name of its field. */
  readonly field?: string;
  /** Of a time series: how its events are counted. */
  readonly counted?: CountedEvents;
  /**
   * Of a property that holds URNs: `text` shows them under its own name, and the entities beside it; `column` shows
   * references to columns.
   */
  readonly urns?: 'text' | 'column';
  /** Of a property that holds URNs: the one type of entities that they name, where no other mark says it. */
  readonly entity?: string;
  /** Of a property or an aspect: a further name of its field. */
  readonly also?: string;
}
