import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../../../test/harness/until.js';
import { inRequest, RequestScope } from '../../../../catalog/schedule/index.js';
import { unlimited } from '../../../../catalog/search/index.js';
import { Lane, type LaneCall, type LaneResult } from './lane.js';

/** Seen from the build. */
const PROGRAM = '../../../../../test/harness/hanging-thread';

let lane: Lane;
const ended: string[] = [];
afterEach(async () => {
  await lane.stop();
  ended.length = 0;
});

function open(depth: number): void {
  lane = new Lane({
    ...{ name: 'searches', threads: 1, depth, mostWaiting: 1_000, hangsMs: 1_500 },
    thread: (name, ends) => ({ name, program: PROGRAM, data: () => ({ ends }), heapMb: 64 }),
    ended: (name) => ended.push(name),
  });
}

function ask(request: string, caller = ''): Promise<LaneResult> {
  const nothing = (): undefined => undefined;
  const state = { destroyed: false, writableFinished: false, headersSent: false };
  const answer = { ...state, once: nothing, setHeader: nothing };
  const call = { question: 'search', request, made: '', limitMs: 1_000, coldMs: 1_000, budget: unlimited() };
  return inRequest(new RequestScope(answer, undefined, caller), () => lane.run(call as unknown as LaneCall));
}

describe('searches of one caller', () => {
  it('do not keep those of another waiting behind all of them', async () => {
    open(1);
    const answered: string[] = [];
    const asked = ['a', 'b'].flatMap((caller) =>
      Array.from({ length: caller === 'a' ? 50 : 2 }, async (_, i) => {
        await ask(`${caller}${i}`, caller);
        answered.push(caller);
      }),
    );
    await Promise.all(asked);
    expect(answered.lastIndexOf('b')).toBeLessThan(5);
  });
});

describe('a thread that hangs', () => {
  it('is ended, and another takes its place', async () => {
    open(2);
    const asked = await Promise.allSettled(['hang', 'one', 'two', 'three'].map((text) => ask(text)));
    expect(asked[0]).toMatchObject({ status: 'rejected', reason: { code: 'SEARCH_UNAVAILABLE' } });
    expect(ended).toEqual(['searches', 'searches']);
    // After two ends within seconds it is left alone for a moment.
    await until(async () => (await ask('later').catch(() => undefined))?.outcome.is === 'answer');
  });
});
