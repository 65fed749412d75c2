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

/** A thread that is to be ended hangs for a moment only; others may take long to start beside other programs. */
function open(depth: number, hangsMs = 60_000): void {
  lane = new Lane({
    ...{ name: 'searches', threads: 1, depth, mostWaiting: 1_000, hangsMs },
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
    open(2, 1_500);
    const asked = await Promise.allSettled(['hang', 'one', 'two', 'three'].map((text) => ask(text)));
    expect(asked[0]).toMatchObject({ status: 'rejected', reason: { code: 'SEARCH_UNAVAILABLE' } });
    expect(ended).toEqual(['searches', 'searches']);
    // After two ends within seconds it is left alone for a moment.
    await until(async () => (await ask('later').catch(() => undefined))?.outcome.is === 'answer');
  });

  it('is ended also while searches come all the time', async () => {
    open(10_000, 1_500);
    let over = false;
    const hanging = ask('hang').catch(() => (over = true));
    const others: Array<Promise<unknown>> = [];
    while (!over) {
      others.push(ask('another').catch(() => undefined));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(await hanging).toBe(true);
    await Promise.all(others);
  });
});
