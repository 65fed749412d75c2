import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { GraphqlEngine } from './engine.js';

interface Parts {
  readonly model: object;
  readonly limits: object;
  readonly metrics: object;
}

const Engine = GraphqlEngine as unknown as new (
  schema: GraphQLSchema,
  parts: Parts,
  classes: ReadonlyMap<string, never>,
) => Pick<GraphqlEngine, 'run'>;

const LIMITS = {
  maxTokens: 1_000,
  maxAliases: 10,
  maxBatch: 10,
  maxDepth: 10,
  maxCost: 1_000,
  maxSearchCost: 10,
  maxValues: 1_000_000,
  timeoutMs: 10_000,
};

const OPERATION = { query: '{ rows { size name } }', variables: {}, operationName: undefined };

describe('a query that is sent again and again', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(true));

  it('is answered as at first when values are not of their type', async () => {
    const runs: string[] = [];
    const metrics = { ran: (run: string) => runs.push(run), estimated: () => undefined };
    const schema = buildSchema('type Query { rows: [Row] } type Row { size: Int name: String! }');
    const rows = [{ size: 0.5, name: 'a' }, { size: '1', name: {} }, { name: 5 }];
    schema.getQueryType()!.getFields()['rows']!.resolve = () => rows;
    const model = { entities: new Map<string, never>() };
    const engine = new Engine(schema, { model, limits: LIMITS, metrics }, new Map<string, never>());
    const answer = async () =>
      JSON.parse((await engine.run({} as never, {} as never, OPERATION)).text) as {
        data: object;
        errors: Array<{ path: unknown }>;
      };
    const first = await answer();
    expect(first.data).toEqual({ rows: [{ size: null, name: 'a' }, null, { size: null, name: '5' }] });
    expect(first.errors.map(({ path }) => path)).toEqual([
      ['rows', 0, 'size'],
      ['rows', 1, 'name'],
    ]);
    for (let i = 0; i < 3; i += 1) expect(await answer()).toEqual(first);
    expect(runs).toEqual(['interpreted', 'compiled', 'compiled', 'compiled']);
  });
});
