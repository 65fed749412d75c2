import { beforeEach, describe, expect, it } from '@jest/globals';
import { ConsumerProgress, type Caught } from './consumer-progress.js';

const LONG = 60_000;

/** What a promise has come to after everything that was ready has run. */
async function stateOf(promise: Promise<Caught>): Promise<Caught | 'open'> {
  return Promise.race([promise, new Promise<'open'>((resolve) => setImmediate(resolve, 'open'))]);
}

describe('ConsumerProgress', () => {
  let progress: ConsumerProgress;

  function publish(job: string, first: number, last: number): void {
    const commits = progress.toPublish();
    progress.expect('search', job, first);
    progress.published(commits, last);
  }

  beforeEach(() => {
    progress = new ConsumerProgress();
    progress.follow('search');
  });

  it('is reached at once when there is nothing to do', async () => {
    expect(await stateOf(progress.reached('search', 0, LONG))).toBe('caught-up');
    expect(await stateOf(progress.reached('search', Infinity, LONG))).toBe('caught-up');
  });

  it('is never reached for a consumer that does not run here', async () => {
    expect(await stateOf(progress.reached('elsewhere', 0, LONG))).toBe('failing');
  });

  it('waits from the commit, over the publication, to the end of the job', async () => {
    progress.committed(3);
    const reached = progress.reached('search', 3, LONG);
    expect(await stateOf(reached)).toBe('open');
    publish('a', 1, 3);
    expect(await stateOf(reached)).toBe('open');
    progress.done('search', ['a']);
    expect(await stateOf(reached)).toBe('caught-up');
  });

  it('waits for every change of a commit, not only for the last', async () => {
    progress.committed(3);
    progress.committed(6);
    expect(await stateOf(progress.reached('search', 4, LONG))).toBe('open');
  });

  it('does not wait for later writes, however many come', async () => {
    progress.committed(1);
    const reached = progress.reached('search', Infinity, LONG);
    publish('a', 1, 1);
    progress.committed(2);
    publish('b', 2, 2);
    progress.committed(3);
    progress.done('search', ['a']);
    expect(await stateOf(reached)).toBe('caught-up');
  });

  it('keeps waiting for an early job when a later one is done first', async () => {
    progress.committed(2);
    progress.expect('search', 'a', 1);
    publish('b', 2, 2);
    const first = progress.reached('search', 1, LONG);
    const both = progress.reached('search', 2, LONG);
    progress.done('search', ['b']);
    expect(await stateOf(both)).toBe('open');
    progress.done('search', ['a']);
    expect([await stateOf(first), await stateOf(both)]).toEqual(['caught-up', 'caught-up']);
  });

  it('keeps waiting for a commit that was reported after the relay had looked', async () => {
    progress.committed(1);
    const commits = progress.toPublish();
    progress.committed(2);
    progress.expect('search', 'a', 1);
    progress.published(commits, Infinity);
    progress.done('search', ['a']);
    expect(await stateOf(progress.reached('search', 1, LONG))).toBe('caught-up');
    expect(await stateOf(progress.reached('search', 2, LONG))).toBe('open');
  });

  it('keeps consumers apart', async () => {
    progress.follow('clean-up');
    progress.committed(1);
    progress.expect('clean-up', 'c', 1);
    publish('a', 1, 1);
    progress.done('search', ['a']);
    expect(await stateOf(progress.reached('search', 1, LONG))).toBe('caught-up');
    expect(await stateOf(progress.reached('clean-up', 1, LONG))).toBe('open');
  });

  it('does not wait for what fails, and recovers with it', async () => {
    progress.committed(1);
    const early = progress.reached('search', 1, LONG);
    publish('a', 1, 1);
    progress.failed('search', 'a');
    expect(await stateOf(early)).toBe('failing');
    progress.committed(2);
    publish('b', 2, 2);
    const later = progress.reached('search', 2, LONG);
    expect(await stateOf(later)).toBe('open');
    progress.done('search', ['b']);
    expect(await stateOf(later)).toBe('failing');
    progress.done('search', ['a']);
    expect(await stateOf(progress.reached('search', 2, LONG))).toBe('caught-up');
  });

  it('tells who waits that what the consumer needs is unavailable, and waits again for who asks later', async () => {
    progress.committed(1);
    publish('a', 1, 1);
    const early = progress.reached('search', 1, LONG);
    progress.unavailable('search');
    expect(await stateOf(early)).toBe('unavailable');
    const later = progress.reached('search', 1, LONG);
    expect(await stateOf(later)).toBe('open');
    progress.done('search', ['a']);
    expect(await stateOf(later)).toBe('caught-up');
  });

  it('is not reached at the timeout', async () => {
    progress.committed(1);
    expect(await progress.reached('search', 1, 20)).toBe('timeout');
    publish('a', 1, 1);
    progress.done('search', ['a']);
    expect(await progress.reached('search', 1, 20)).toBe('caught-up');
  });
});
