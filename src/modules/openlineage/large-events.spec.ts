import { describe, expect, it } from '@jest/globals';
import { EventLoopRounds } from '../../../test/harness/event-loop-rounds.js';
import { Model } from '../../catalog/model/index.js';
import { readLineageEvent } from './lineage-event.js';
import { LineageProposals } from './lineage-proposals.js';

const OUTPUTS = 3_000;
const COLUMNS = 10;
const ACTOR = 'urn:li:corpuser:spark';
const dataset = (name: string) => ({ namespace: 'hive://h', name });
const list = <T>(count: number, of: (k: number) => T): T[] => Array.from({ length: count }, (_, k) => of(k));

/** Each column of each output comes from one column. */
const body = (type?: unknown) => ({
  eventTime: '2026-06-14T04:30:00Z',
  producer: 'https://github.com/apache/airflow/',
  eventType: null,
  job: { namespace: 'nightly', name: 'large.job', facets: { sql: null } },
  inputs: [dataset('in')],
  outputs: list(OUTPUTS, (k) => ({
    ...dataset(`out_${k}`),
    facets: {
      schema: null,
      columnLineage: {
        fields: Object.fromEntries(
          list(COLUMNS, (n) => [
            `c${n}`,
            {
              inputFields: [{ ...dataset('in'), field: 'id', transformations: null }],
              transformationType: k === OUTPUTS - 1 ? type : null,
            },
          ]),
        ),
      },
    },
  })),
});

/** How often the event loop went round meanwhile, which serves others, and what came of the work. */
async function around<T>(work: () => T | Promise<T>): Promise<{ rounds: number; made: T }> {
  const loop = new EventLoopRounds();
  try {
    const before = loop.current;
    const made = await work();
    return { rounds: loop.current - before, made };
  } finally {
    loop.stop();
  }
}

describe('a large event of OpenLineage', () => {
  it('is read while others are served, without what is null', async () => {
    const { rounds, made } = await around(() => readLineageEvent(body()));
    expect(rounds).toBeGreaterThan(2);
    expect(made.outputs).toHaveLength(OUTPUTS);
    expect(made.outputs?.at(-1)).toEqual({
      ...dataset(`out_${OUTPUTS - 1}`),
      facets: {
        columnLineage: {
          fields: Object.fromEntries(
            list(COLUMNS, (n) => [`c${n}`, { inputFields: [{ ...dataset('in'), field: 'id' }] }]),
          ),
        },
      },
    });
    expect(made).not.toHaveProperty('eventType');
    expect(made.job).toEqual({ namespace: 'nightly', name: 'large.job', facets: {} });
  });

  it('is refused with the place of its fault', async () => {
    await expect((async () => readLineageEvent(body(7)))()).rejects.toMatchObject({
      code: 'PARAMETER_INVALID',
      message: expect.stringContaining(
        `/outputs/${OUTPUTS - 1}/facets/columnLineage/fields/c0/transformationType must be`,
      ),
    });
  });

  it('becomes the lineage of its job while others are served', async () => {
    const proposals = await new LineageProposals(Model.load()).of(await readLineageEvent(body()), ACTOR);
    const edit = proposals.find(({ aspect }) => aspect.name === 'dataJobInputOutput')?.edit;
    const apply = (current: Record<string, unknown> | undefined) =>
      edit?.apply(current, {} as Parameters<typeof edit.apply>[1]);
    const { rounds, made } = await around(() => apply(undefined));
    expect(rounds).toBeGreaterThan(2);
    expect(made?.['outputDatasetEdges']).toHaveLength(OUTPUTS);
    const lineages = made?.['fineGrainedLineages'] as Array<{ downstreams: string[] }>;
    expect(new Set(lineages.flatMap(({ downstreams }) => downstreams)).size).toBe(OUTPUTS * COLUMNS);
    expect(lineages[COLUMNS]?.downstreams).toEqual([
      'urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,out_1,PROD),c0)',
    ]);
    expect((await around(() => apply(made))).made).toEqual(made);
  });
});
