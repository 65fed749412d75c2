import type { Terminal } from './command.js';

/** Shows how far a long command has come. */
interface Progress {
  /** `done` and `total` in bytes of the file. */
  update(done: number, proposals: number): void;
  stop(): void;
}

/** A bar on a screen; a line every few seconds elsewhere, in logs and pipes. */
export async function createProgress(total: number, terminal: Terminal): Promise<Progress> {
  const start = performance.now();
  const rate = (proposals: number) => Math.round((proposals * 1000) / Math.max(1, performance.now() - start));
  if (!terminal.interactive || total === 0) return plainProgress(total, terminal, rate);
  const { SingleBar, Presets } = await import('cli-progress');
  const format = '{bar} {percentage}% | {proposals} proposals | {rate}/s | {eta_formatted} left';
  const bar = new SingleBar(
    { format, clearOnComplete: true, hideCursor: true, stream: process.stderr },
    Presets.shades_classic,
  );
  bar.start(total, 0, { proposals: 0, rate: 0 });
  return {
    update: (done, proposals) => bar.update(Math.min(done, total), { proposals, rate: rate(proposals) }),
    stop: () => bar.stop(),
  };
}

function plainProgress(total: number, terminal: Terminal, rate: (proposals: number) => number): Progress {
  const EVERY_MS = 5000;
  let last = performance.now();
  return {
    update(done, proposals) {
      if (performance.now() - last < EVERY_MS) return;
      last = performance.now();
      const part = total === 0 ? '' : `, ${Math.floor((done * 100) / total)} %`;
      terminal.err(`${proposals} proposals${part}, ${rate(proposals)}/s`);
    },
    stop: () => undefined,
  };
}
