import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('warm_python.py', import.meta.url));
/** For what hangs. */
const SECONDS = 300;

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

interface Waiting {
  ended: (code: number) => void;
  failed: (reason: Error) => void;
}

/**
 * Runs scripts that import a large package, in one folder and environment. The first is started as users start it; those that
 * follow are forks of a process that has imported the package, which takes many times what most of them do.
 */
export class WarmPython {
  private runs = 0;
  private warm: ReturnType<typeof this.start> | undefined;
  private readonly waiting = new Map<number, Waiting>();

  /** @param modules what is imported before the first fork */
  constructor(
    private readonly python: string,
    private readonly modules: readonly string[],
    private readonly options: { cwd: string; env: NodeJS.ProcessEnv },
  ) {}

  /** Runs what Python takes as arguments: the path of a script, or `-c` and its text, and its own. Throws when it hangs. */
  async run(args: readonly string[]): Promise<Ended> {
    this.runs += 1;
    return this.runs === 1 ? this.begin(args) : this.fork(this.runs, args);
  }

  /** Ends the process that forks. */
  async close(): Promise<void> {
    if (this.warm === undefined) return;
    const { child, folder } = this.warm;
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true });
  }

  private begin(args: readonly string[]): Promise<Ended> {
    const options = { ...this.options, maxBuffer: 64 * 1024 * 1024, timeout: SECONDS * 1000 };
    return new Promise((resolve, reject) => {
      execFile(this.python, args, options, (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number') reject(new Error(error.message, { cause: error }));
        else resolve({ code: error ? (error.code as number) : 0, stdout, stderr });
      });
    });
  }

  private async fork(id: number, args: readonly string[]): Promise<Ended> {
    const { child, folder } = (this.warm ??= this.start());
    const [out, err] = [join(folder, `${id}.out`), join(folder, `${id}.err`)];
    const code = await new Promise<number>((ended, failed) => {
      this.waiting.set(id, { ended, failed });
      child.stdin.write(`${JSON.stringify({ id, arguments: args, out, err, seconds: SECONDS })}\n`);
    });
    this.waiting.delete(id);
    const [stdout, stderr] = await Promise.all([readFile(out, 'utf8'), readFile(err, 'utf8')]);
    if (code < 0) throw new Error(`${args.join(' ')} was killed by signal ${-code}: ${stdout}\n${stderr}`);
    return { code, stdout, stderr };
  }

  private start() {
    const folder = mkdtempSync(join(tmpdir(), 'catalog-warm-python-'));
    const child = spawn(this.python, [PROGRAM, ...this.modules], this.options);
    let said = '';
    child.stderr.on('data', (data: Buffer) => (said += data.toString()));
    child.stdin.on('error', () => undefined);
    createInterface(child.stdout).on('line', (line) => {
      const [id = NaN, code = NaN] = line.split(' ').map(Number);
      this.waiting.get(id)?.ended(code);
    });
    child.once('close', () => {
      for (const { failed } of this.waiting.values()) failed(new Error(`${PROGRAM} has ended: ${said}`));
    });
    return { child, folder };
  }
}
