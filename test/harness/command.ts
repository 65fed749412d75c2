import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { run } from '../../src/cli/run.js';
import { placeOf } from './catalog.js';
import { ROOT } from './service-process.js';

export interface Said {
  /** Null when it was killed. */
  code: number | null;
  out: string;
  err: string;
}

/** Variables for a command on a data folder: nothing of the settings around the test. */
async function variablesOf(home: string, more: Record<string, string> = {}): Promise<NodeJS.ProcessEnv> {
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('CATALOG_'));
  return {
    ...Object.fromEntries(outer),
    CATALOG_HOME: home,
    CATALOG_LOG_LEVEL: 'warn',
    ...(await placeOf(home)),
    ...more,
  };
}

/**
 * Calls a command on a data folder in the process of the test, which takes a fraction of the time of a new process. What it
 * would write to standard output itself, such as an export to "-", needs `command`; so does one that writes into the database
 * of a running service.
 */
export async function called(
  home: string,
  words: readonly string[],
  options: { environment?: Record<string, string> } = {},
): Promise<Said> {
  const said = { out: '', err: '' };
  const terminal = {
    out: (line: string) => void (said.out += `${line}\n`),
    err: (line: string) => void (said.err += `${line}\n`),
    interactive: false,
  };
  const variables = await variablesOf(home, options.environment);
  const before = { ...process.env };
  setEnvironment(variables);
  try {
    const code = await run(words, terminal);
    return { code, ...said };
  } finally {
    setEnvironment(before);
  }
}

function setEnvironment(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  Object.assign(process.env, variables);
}

/** Runs a command of the build on a data folder, in a process of its own. */
export async function command(
  home: string,
  words: readonly string[],
  options: {
    environment?: Record<string, string>;
    input?: string | Buffer;
    killAfterMs?: number;
    /** Asked again and again: the process is killed once it holds. */
    killWhen?: () => boolean;
  } = {},
): Promise<Said> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(ROOT, 'dist', 'cli.js'), ...words],
    { env: await variablesOf(home, options.environment) },
  );
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  child.stdin.on('error', () => undefined).end(options.input);
  const timer =
    options.killAfterMs === undefined
      ? undefined
      : setTimeout(() => child.kill('SIGKILL'), options.killAfterMs);
  const { killWhen } = options;
  const asking = killWhen && setInterval(() => killWhen() && child.kill('SIGKILL'), 5);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      clearInterval(asking);
      resolve({ code, ...said });
    });
  });
}
