import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './catalog.js';

/** Asks again while the answer is 503, as clients do: beside other tests an engine may be busy for a while. */
export async function served(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  for (let again = 0; answer.status === 503 && again < 20; again += 1) {
    await sleep(500);
    answer = await ask();
  }
  return answer;
}
