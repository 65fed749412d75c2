/** A query in the language of the engine. */
export type Query = Record<string, unknown>;
