import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { Disposables } from './backing/disposables.js';
import { checkListening, type Configuration } from './config/configuration.js';
import { createApplication } from './http/index.js';
import { FirstToken } from './modules/auth/index.js';

/** A failed start reports its reason without waiting longer for what cannot be closed. */
const CLOSE_MS = 8_000;

/**
 * Starts the service on its address. A start that fails leaves nothing open.
 * @param made called when the service is put together and hears signals, before it listens
 */
export async function startApplication(
  configuration: Configuration,
  logger?: Logger,
  made: () => void = () => undefined,
): Promise<NestFastifyApplication> {
  checkListening(configuration);
  const parts = new Disposables();
  let application: NestFastifyApplication | undefined;
  try {
    application = await createApplication(AppModule.with(configuration, parts), configuration, logger);
    made();
    await application.listen(configuration.port, configuration.host);
    application.get(FirstToken, { strict: false }).announce();
    return application;
  } catch (error) {
    // The reason of the start counts, not what else may go wrong now.
    const closing = Promise.resolve(application?.close())
      .catch(() => undefined)
      .then(() => parts.close())
      .catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([closing, new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_MS)))]);
    clearTimeout(timer);
    throw error;
  }
}
