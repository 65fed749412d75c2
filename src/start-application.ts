import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { Disposables } from './backing/disposables.js';
import { openTracing } from './backing/open-tracing.js';
import type { Tracing } from './catalog/tracing/index.js';
import { checkListening, type Configuration } from './config/configuration.js';
import { createApplication } from './http/index.js';
import { FirstToken } from './modules/auth/index.js';

/** A failed start reports its reason without waiting longer for what cannot be closed. */
const CLOSE_MS = 8_000;

/**
 * Starts the service on its address. A start that fails leaves nothing open.
 * @param given what `logger` knows of traces by
 * @param made called when the service is put together and hears signals, before it listens
 */
export async function startApplication(
  configuration: Configuration,
  logger?: Logger,
  made: () => void = () => undefined,
  given?: Tracing,
): Promise<NestFastifyApplication> {
  checkListening(configuration);
  const parts = new Disposables();
  let application: NestFastifyApplication | undefined;
  try {
    const tracing = given ?? (await openTracing(configuration));
    await parts.note('tracing', tracing, () => tracing.close());
    application = await createApplication(
      AppModule.with(configuration, parts, tracing),
      configuration,
      logger,
      tracing,
    );
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
