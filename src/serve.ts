import { AppModule } from './app.module.js';
import { ModelError } from './catalog/model/index.js';
import { ConfigurationError, readConfiguration, unknownVariables } from './config/configuration.js';
import { createApplication, createLogger } from './http/index.js';

/** Starts the service with the configuration of the environment. */
export async function serve(): Promise<void> {
  const configuration = readConfiguration();
  const logger = createLogger(configuration.logLevel);
  for (const name of unknownVariables()) logger.warn(`${name} is set, but there is no such variable`);
  const application = await createApplication(AppModule.with(configuration), configuration, logger);
  await application.listen(configuration.port, configuration.host);
  logger.info(`ready on ${await application.getUrl()}`);
}

/** Says what stopped the start, and ends the process. */
export function refuseToStart(error: unknown): never {
  const known = error instanceof ConfigurationError || error instanceof ModelError;
  console.error(known ? error.message : error);
  process.exit(1);
}
