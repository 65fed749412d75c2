import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when the condition holds; asks again and again, for at most so long. @throws Error when it never does */
export async function until(condition: () => Promise<boolean>, limitMs = 240_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${limitMs} ms: ${condition.toString()}`);
    await sleep(50);
  }
}
