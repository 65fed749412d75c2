import type { Terminal } from './command.js';

/** Shows how far a long command has come. */
interface Progress {
  /** `done` in the unit of the total; `count` of what is counted. */
  update(done: number, count: number): void;
  stop(): void;
}

/**
 * A bar on a screen; a line every few seconds elsewhere, in logs and pipes.
 * @param total 0 when unknown
 * @param what is counted
 */
export async function createProgress(
  total: number,
  terminal: Terminal,
  what = 'proposals',
): Promise<Progress> {
  const start = performance.now();
  const rate = (count: number) => Math.round((count * 1000) / Math.max(1, performance.now() - start));
  if (!terminal.interactive || total === 0) return plainProgress(total, terminal, rate, what);
  const { SingleBar, Presets } = await import('cli-progress');
  const format = `{bar} {percentage}% | {count} ${what} | {rate}/s | {eta_formatted} left`;
  const bar = new SingleBar(
    { format, clearOnComplete: true, hideCursor: true, stream: process.stderr },
    Presets.shades_classic,
  );
  bar.start(total, 0, { count: 0, rate: 0 });
  return {
    update: (done, count) => bar.update(Math.min(done, total), { count, rate: rate(count) }),
    stop: () => bar.stop(),
  };
}

function plainProgress(
  total: number,
  terminal: Terminal,
  rate: (count: number) => number,
  what: string,
): Progress {
  const EVERY_MS = 5000;
  const start = performance.now();
  let last = start;
  const endOf = (done: number): string => {
    const left = ((performance.now() - start) * Math.max(0, total - done)) / Math.max(1, done);
    return `ends about ${new Date(Date.now() + left).toISOString().slice(0, 19)}Z`;
  };
  return {
    update(done, count) {
      if (performance.now() - last < EVERY_MS) return;
      last = performance.now();
      const part = total === 0 ? '' : `, ${Math.floor((done * 100) / total)} %, ${endOf(done)}`;
      terminal.err(`${count} ${what}${part}, ${rate(count)}/s`);
    },
    stop: () => undefined,
  };
}
