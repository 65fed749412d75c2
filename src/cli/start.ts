import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { UsageError, type Command } from './command.js';

const ROLES = ['all', 'api', 'worker'];
const STOPS = ['SIGINT', 'SIGTERM'] as const;

/** Larger young generations copy less and take more memory: docs/adr/0016-flags-of-the-garbage-collector.md. */
const SEMI_SPACE_MB = { all: 16, several: 64 };

/** Starts the service in the foreground. */
export const start: Command = {
  usage: `Usage: catalog start [--role all]

Starts the service and stays until it ends. Settings are variables: docs/configuration.md.

  --role  all, api or worker (default CATALOG_ROLE, else all)`,

  async run(words) {
    const { values } = parseArgs({ args: [...words], options: { role: { type: 'string' } } });
    if (values.role !== undefined && !ROLES.includes(values.role))
      throw new UsageError(`--role must be one of ${ROLES.join(', ')}`);
    const role = values.role ?? process.env['CATALOG_ROLE'] ?? 'all';
    const semiSpace = role === 'all' ? SEMI_SPACE_MB.all : SEMI_SPACE_MB.several;
    // Flags of the garbage collector hold from the start of a process on only.
    const service = spawn(
      process.execPath,
      [
        `--max-semi-space-size=${semiSpace}`,
        '--heap-growing-percent=40',
        fileURLToPath(new URL('../main.js', import.meta.url)),
      ],
      { stdio: 'inherit', env: { ...process.env, CATALOG_ROLE: role } },
    );
    for (const signal of STOPS) process.on(signal, () => service.kill(signal));
    const [code, signal] = (await once(service, 'exit')) as [number | null, NodeJS.Signals | null];
    // A service that was asked to stop ends by that signal, when everything is written.
    return code ?? (STOPS.some((each) => each === signal) ? 0 : 1);
  },
};
