import { setFlagsFromString } from 'node:v8';
import { CatalogError } from './catalog/errors/index.js';
import { ModelError } from './catalog/model/index.js';
import {
  ConfigurationError,
  readConfiguration,
  unknownVariables,
  type Configuration,
} from './config/configuration.js';
import { StartError } from './config/start-error.js';
import { openTracing } from './backing/open-tracing.js';
import { createLogger } from './http/index.js';
import { startApplication } from './start-application.js';

/** How long what is under way may take when the process is asked to stop: within the grace of container runtimes. */
const STOP_MS = 9_000;

/** What the operating system says when the address cannot be had, in words. */
const ADDRESS_TROUBLE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there already',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EACCES: 'this process may not listen there',
  ENOTFOUND: 'there is no such host',
};

/** The same of a file or folder: what is wrong, and what helps. */
const FILE_TROUBLE: Readonly<Record<string, string>> = {
  EACCES: 'this process may not use it; let its user read and write the data folder (CATALOG_HOME)',
  EPERM: 'this process may not use it; let its user read and write the data folder (CATALOG_HOME)',
  EROFS:
    'it is on a disk that is mounted read-only; mount it writable, or set CATALOG_HOME to another folder',
  ENOSPC: 'its disk is full; make room on it',
  ENOENT: 'it cannot be made there; set CATALOG_HOME to another folder',
  ENOTDIR: 'a part of this path is a file, not a folder; set CATALOG_HOME to a folder',
  EEXIST: 'it is a file, not a folder; set CATALOG_HOME to a folder',
};

/** Only the account that the service runs under may read what it writes, also in a folder that all accounts may enter. */
const PRIVATE = 0o077;

/** Starts the service with the configuration of the environment, and its role when one is given. */
export async function serve(role?: Configuration['role']): Promise<void> {
  process.umask(PRIVATE);
  const configuration = readConfiguration(
    role === undefined ? process.env : { ...process.env, CATALOG_ROLE: role },
  );
  const tracing = await openTracing(configuration);
  const logger = createLogger(configuration.logLevel, tracing);
  for (const name of unknownVariables()) logger.warn(`${name} is set, but there is no such variable`);
  const boundTheStop = () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        logger.info(`stopping on ${signal}`);
        const late = setTimeout(() => {
          logger.error(
            `not everything came to an end within ${STOP_MS / 1000} seconds; what is left is found again`,
          );
          process.exit(1);
        }, STOP_MS);
        late.unref();
      });
    }
  };
  // The flag is for the heap of this thread, which is there by now. It would override the limits of the other threads.
  if (configuration.role === 'all') setFlagsFromString('--max-semi-space-size=0');
  const application = await startApplication(configuration, logger, boundTheStop, tracing);
  // A small heap is worth frequent collections from here on; what a start allocates stays anyway.
  setFlagsFromString('--heap-growing-percent=40');
  // The young generation of a process for everything is small: waking threads to share it costs more than it saves.
  if (configuration.role === 'all') setFlagsFromString('--no-parallel-scavenge');
  logger.info(`ready on ${await application.getUrl()}, role ${configuration.role}`);
}

/** Says what stopped the start, and ends the process. */
export function refuseToStart(error: unknown): never {
  console.error(reasonOf(error));
  process.exit(1);
}

function reasonOf(error: unknown): unknown {
  const inWords = [ConfigurationError, StartError, ModelError, CatalogError];
  if (inWords.some((kind) => error instanceof kind)) return (error as Error).message;
  const { code, syscall, address, port, path } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  const trouble = ADDRESS_TROUBLE[code ?? ''];
  if (trouble !== undefined && (syscall === 'listen' || syscall === 'getaddrinfo')) {
    return `HOST, PORT: cannot listen on ${address ?? 'that host'}${port === undefined ? '' : `:${port}`}: ${trouble}`;
  }
  const fault = FILE_TROUBLE[code ?? ''];
  if (fault !== undefined && path !== undefined) return `${path}: ${fault}`;
  return error;
}
