import { describe, expect, it } from '@jest/globals';
import { buildSchema, execute, parse, type GraphQLFieldResolver } from 'graphql';
import { Slices } from '../slices.js';
import { readInSlices } from './fast-resolvers.js';
import { EventLoopRounds } from '../../../../test/harness/event-loop-rounds.js';

const SCHEMA = buildSchema('type Query { list: [Element] } type Element { number: Int }');
const LENGTH = 320;

/** Each takes a while to be completed, and notes how often the event loop had gone round before. */
class Element {
  constructor(
    private readonly at: number,
    private readonly begun: (at: number) => void,
  ) {}

  get number(): number {
    this.begun(this.at);
    const end = performance.now() + 0.5;
    while (performance.now() < end);
    return this.at;
  }
}

async function roundsOf(fieldResolver?: GraphQLFieldResolver<unknown, unknown>): Promise<Set<number>> {
  const loop = new EventLoopRounds();
  const rounds = new Set<number>();
  const list = Array.from({ length: LENGTH }, (_, at) => new Element(at, () => rounds.add(loop.current)));
  const slices = new Slices(new AbortController().signal);
  const { data } = (await execute({
    schema: SCHEMA,
    document: parse('{ list { number } }'),
    rootValue: { list },
    contextValue: { slices },
    fieldResolver,
  })) as { data: { list: Array<{ number: number }> } };
  loop.stop();
  expect(data.list.map(({ number }) => number)).toEqual(list.map((_, at) => at));
  return rounds;
}

describe('long lists of plain data', () => {
  it('let the event loop go round while they are completed', async () => {
    const rounds = await roundsOf(readInSlices as GraphQLFieldResolver<unknown, unknown>);
    expect(rounds.size).toBeGreaterThan(3);
  });

  it('are completed in one go by the executor itself', async () => {
    expect((await roundsOf()).size).toBe(1);
  });
});
