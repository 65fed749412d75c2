import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

/** A whole number beyond 32 bits, exact up to ±(2^53−1): times in epoch milliseconds, counts. */
export const Long = new GraphQLScalarType<number, number>({
  name: 'Long',
  description: 'A whole number from -9007199254740991 to 9007199254740991, such as epoch milliseconds.',
  serialize: whole,
  parseValue: whole,
  parseLiteral: (node) => {
    if (node.kind !== Kind.INT) throw new GraphQLError('Long must be a whole number', { nodes: node });
    return whole(Number(node.value));
  },
});

function whole(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new GraphQLError(`Long must be a whole number up to 2^53-1, not ${JSON.stringify(value)}`);
}
