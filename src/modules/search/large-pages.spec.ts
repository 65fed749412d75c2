import { describe, expect, it } from '@jest/globals';
import { JsonText } from '../../catalog/json/index.js';
import { inRequest, RequestScope } from '../../catalog/schedule/index.js';
import { textInParts } from '../../routing/text-in-parts.js';
import { LargePages } from './large-pages.js';

const answerOf = (hits: number) => ({
  numEntities: hits,
  urns: Array.from({ length: hits }, (_, i) => `urn:li:tag:ü${i}`),
  matches: Array.from({ length: hits }, (_, i) => ({ matchedFields: [{ name: 'name', value: `"${i}"` }] })),
});
const textOf = async (answer: object): Promise<string> =>
  (await textInParts((answer as JsonText).parts)) as string;

/** A request whose client waits, or has left. */
function request(destroyed = false): RequestScope {
  const answer = { destroyed, writableFinished: false, headersSent: false };
  return new RequestScope({ ...answer, once: () => undefined, setHeader: () => undefined });
}

describe('large pages', () => {
  it('are the text of what was found', async () => {
    const answer = answerOf(5_000);
    const large = await new LargePages().answer(5_000, async () => answer);
    expect(large).toBeInstanceOf(JsonText);
    expect(await textOf(large)).toBe(JSON.stringify(answer));
  });

  it('leave small ones as they are', async () => {
    const answer = answerOf(1_000);
    expect(await new LargePages().answer(1_000, async () => answer)).toBe(answer);
  });

  it('let others have their turn while they become text', async () => {
    let rounds = 0;
    let made = false;
    const round = (): void => {
      rounds += 1;
      if (!made) setImmediate(round);
    };
    setImmediate(round);
    const answer = answerOf(100_000);
    await new LargePages().answer(10_000, async () => answer);
    made = true;
    expect(rounds).toBeGreaterThan(2);
  });

  it('are made two at a time', async () => {
    const pages = new LargePages();
    let [running, most] = [0, 0];
    const make = async (): Promise<object> => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return answerOf(10);
    };
    await Promise.all(Array.from({ length: 6 }, () => pages.answer(10_000, make)));
    expect(most).toBe(2);
  });

  it('are not made for a client that has left', async () => {
    let made = 0;
    const answered = inRequest(request(true), () =>
      new LargePages().answer(10_000, async () => ({ made: (made += 1) })),
    );
    await expect(answered).rejects.toThrow();
    expect(made).toBe(0);
  });
});
