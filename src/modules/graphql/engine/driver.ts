import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import fastify, { type FastifyInstance } from 'fastify';
import mercurius from 'mercurius';

/**
 * Mercurius in a server of its own that never listens: it comes when the service is running already, and a running
 * server takes no more plugins. Requests reach it through our own endpoint.
 */
export class EmbeddedMercuriusDriver extends MercuriusDriver {
  readonly server: FastifyInstance = fastify();

  override async start(options: MercuriusDriverConfig): Promise<void> {
    await this.server.register(mercurius, { ...options, context: undefined } as never);
    await this.server.ready();
  }

  override async stop(): Promise<void> {
    await this.server.close();
  }
}
