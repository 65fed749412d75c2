import { constants, setPriority } from 'node:os';
import { CatalogError } from '../catalog/errors/index.js';
import { ConfigurationError } from '../config/configuration-error.js';
import { StartError } from '../config/start-error.js';
import { VERSION } from '../version.js';
import { type Command, type Terminal, UsageError } from './command.js';
import { completion } from './completion.js';
import { ServiceError } from './service-client.js';

/** Commands are loaded when they are called: each needs other, heavy things. */
const COMMANDS: Readonly<
  Record<
    string,
    {
      summary: string;
      /** The service beside it goes first, from before its code is loaded: threads have the priority of the one that starts them. */
      yields?: true;
      load: () => Promise<Command>;
    }
  >
> = {
  start: {
    summary: 'start the service',
    load: () => import('./start.js').then(({ start }) => start),
  },
  tokens: {
    summary: 'make, list and revoke access tokens',
    load: () => import('./tokens.js').then(({ tokens }) => tokens),
  },
  users: {
    summary: 'make accounts with passwords, list and end them',
    load: () => import('./users.js').then(({ users }) => users),
  },
  import: {
    summary: 'take an export back, or send a file of change proposals to a running service',
    load: () => import('./import.js').then(({ importFile }) => importFile),
  },
  export: {
    summary: 'write the catalog, or a part of it, to a file',
    load: () => import('./export.js').then(({ exportFile }) => exportFile),
  },
  csv: {
    summary: 'tables for spreadsheet programs: tags, terms, owners, descriptions, out and in',
    load: () => import('./csv.js').then(({ csv }) => csv),
  },
  backup: {
    summary: 'make a verified copy of the embedded database, also while the service runs',
    yields: true,
    load: () => import('./backup.js').then(({ backup }) => backup),
  },
  restore: {
    summary: 'put a backup of the embedded database back',
    load: () => import('./restore.js').then(({ restore }) => restore),
  },
  get: {
    summary: 'print an entity of a running service',
    load: () => import('./get.js').then(({ get }) => get),
  },
  search: {
    summary: 'search a running service',
    load: () => import('./search.js').then(({ search }) => search),
  },
  verify: {
    summary:
      'compare store and search index of a running service, and repair the index; check everything, or the audit log',
    load: () => import('./verify.js').then(({ verify }) => verify),
  },
  retention: {
    summary: 'remove what retention policies of a running service no longer keep, or count it',
    load: () => import('./retention.js').then(({ retention }) => retention),
  },
  audit: {
    summary: 'print what the audit log of a running service has',
    load: () => import('./audit.js').then(({ audit }) => audit),
  },
  jobs: {
    summary: 'list background jobs of a running service, and retry those that failed',
    load: () => import('./jobs.js').then(({ jobs }) => jobs),
  },
  'restore-indices': {
    summary: 'write entities to the search index of a running service anew',
    load: () => import('./restore-indices.js').then(({ restoreIndices }) => restoreIndices),
  },
  'system-update': {
    summary: 'bring a running service up to date: search index, structured properties',
    load: () => import('./system-update.js').then(({ systemUpdate }) => systemUpdate),
  },
};

/** Errors whose message says all that the person needs. */
const EXPECTED = [CatalogError, ConfigurationError, StartError, ServiceError];

/** The exit code of a program that SIGPIPE ends, as a shell has it. */
const READER_GONE = 141;

let watched = false;

/** Writes a line to standard output; ends the process like other programs where nothing reads it any more, as behind `| head`. */
function print(line: string): void {
  if (!watched) {
    watched = true;
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(READER_GONE);
    });
  }
  process.stdout.write(`${line}\n`);
}

const TERMINAL: Terminal = {
  out: print,
  err: (line) => void process.stderr.write(`${line}\n`),
  interactive: process.stderr.isTTY,
  yieldCpu: () => setPriority(constants.priority.PRIORITY_LOW),
};

/** Runs one command line; answers the exit code: 0 done, 1 failed, 2 misunderstood. */
export async function run(words: readonly string[], terminal: Terminal = TERMINAL): Promise<number> {
  const [name = '--help', ...rest] = words;
  if (name === '--help' || name === '-h' || name === 'help') {
    terminal.out(usage());
    return words.length === 0 ? 2 : 0;
  }
  if (name === '--version' || name === '-V') {
    terminal.out(VERSION);
    return 0;
  }
  if (name === 'completion') {
    const loaded = Object.entries(COMMANDS).map(
      async ([each, { load }]) => [each, (await load()).usage] as const,
    );
    terminal.out(completion(Object.fromEntries(await Promise.all(loaded))));
    return 0;
  }
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!entry) {
    terminal.err(`there is no command "${name}"\n\n${usage()}`);
    return 2;
  }
  if (entry.yields) terminal.yieldCpu?.();
  const command = await entry.load();
  if (rest.includes('--help') || rest.includes('-h')) {
    terminal.out(command.usage);
    return 0;
  }
  try {
    return await command.run(rest, terminal);
  } catch (error) {
    if (isUsageError(error)) {
      terminal.err(`${(error as Error).message}\n\n${command.usage}`);
      return 2;
    }
    if (EXPECTED.some((type) => error instanceof type)) {
      terminal.err((error as Error).message);
      return 1;
    }
    throw error;
  }
}

/** Our own, and those of `parseArgs`. */
function isUsageError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return error instanceof UsageError || (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS_'));
}

function usage(): string {
  const width = Math.max(...Object.keys(COMMANDS).map(({ length }) => length));
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: npm run catalog -- <command> [options]\n\nCommands:\n${lines.join('\n')}\n\n<command> --help says more. Also: --version, completion (of commands and options, for bash and zsh).

Variables: CATALOG_URL (where the service is), CATALOG_TOKEN (whom it is called as), CATALOG_HOME and those of
docs/configuration.md.`;
}
