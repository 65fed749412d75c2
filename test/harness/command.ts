import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { placeOf } from './catalog.js';
import { ROOT } from './service-process.js';

export interface Said {
  /** Null when it was killed. */
  code: number | null;
  out: string;
  err: string;
}

/** Runs a command of the build on a data folder, in a process of its own. */
export async function command(
  home: string,
  words: readonly string[],
  options: { environment?: Record<string, string>; input?: string | Buffer; killAfterMs?: number } = {},
): Promise<Said> {
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('CATALOG_'));
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(ROOT, 'dist', 'cli.js'), ...words],
    {
      env: {
        ...Object.fromEntries(outer),
        CATALOG_HOME: home,
        CATALOG_LOG_LEVEL: 'warn',
        ...(await placeOf(home)),
        ...options.environment,
      },
    },
  );
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  child.stdin.on('error', () => undefined).end(options.input);
  const timer =
    options.killAfterMs === undefined
      ? undefined
      : setTimeout(() => child.kill('SIGKILL'), options.killAfterMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ...said });
    });
  });
}
