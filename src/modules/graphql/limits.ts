/** What one request may ask for. Everything has an end, so that no client can keep the service from the others. */
export interface GraphqlLimits {
  /** Levels of fields below each other, fragments spelled out. */
  readonly maxDepth: number;
  /** Fields that an answer may have; see `CostMeter`. */
  readonly maxCost: number;
  /** What the searches of one operation may cost together; see `priceOf`. */
  readonly maxSearchCost: number;
  /** Characters of stored JSON that may be held for an answer. */
  readonly maxValues: number;
  readonly maxAliases: number;
  /** Words and signs of a document. */
  readonly maxTokens: number;
  /** Elements of one list in the arguments. */
  readonly maxBatch: number;
  /** Milliseconds until the answer is given up. */
  readonly timeoutMs: number;
}

/** Injection token of the {@link GraphqlLimits}. */
export const GRAPHQL_LIMITS = Symbol('GraphqlLimits');
