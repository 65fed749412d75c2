import { setFlagsFromString } from 'node:v8';
import { CatalogError } from './catalog/errors/index.js';
import { ModelError } from './catalog/model/index.js';
import {
  ConfigurationError,
  readConfiguration,
  unknownVariables,
  type Configuration,
} from './config/configuration.js';
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

/** Starts the service with the configuration of the environment, and its role when one is given. */
export async function serve(role?: Configuration['role']): Promise<void> {
  const configuration = readConfiguration(
    role === undefined ? process.env : { ...process.env, CATALOG_ROLE: role },
  );
  const logger = createLogger(configuration.logLevel);
  for (const name of unknownVariables()) logger.warn(`${name} is set, but there is no such variable`);
  const boundTheStop = () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
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
  const application = await startApplication(configuration, logger, boundTheStop);
  // A small heap is worth frequent collections from here on; what a start allocates stays anyway.
  setFlagsFromString('--heap-growing-percent=40');
  logger.info(`ready on ${await application.getUrl()}, role ${configuration.role}`);
}

/** Says what stopped the start, and ends the process. */
export function refuseToStart(error: unknown): never {
  console.error(reasonOf(error));
  process.exit(1);
}

function reasonOf(error: unknown): unknown {
  if (error instanceof ConfigurationError || error instanceof ModelError || error instanceof CatalogError) {
    return error.message;
  }
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  const trouble = ADDRESS_TROUBLE[code ?? ''];
  if (trouble !== undefined && (syscall === 'listen' || syscall === 'getaddrinfo')) {
    return `HOST, PORT: cannot listen on ${address ?? 'that host'}${port === undefined ? '' : `:${port}`}: ${trouble}`;
  }
  return error;
}
