import { Inject, Injectable, Optional } from '@nestjs/common';
import { DiscoveryService, LazyModuleLoader } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { Meter } from '../../catalog/metrics/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { Model } from '../../catalog/model/index.js';
import { BearerGuard, type AuthenticatedRequest } from '../auth/index.js';
import { discovered, EntityReader } from '../entities/index.js';
import type { GraphqlAnswer, GraphqlEngine } from './engine/engine.js';
import { graphqlMetrics, type GraphqlMetrics } from './graphql-metrics.js';
import { GraphqlPreparation, LazyResolvers } from './lazy.js';
import { GRAPHQL_LIMITS, type GraphqlLimits } from './limits.js';
import type { Operation } from './operation.js';

/** Starts the engine when it is first needed, and hands operations to it. */
@Injectable()
export class GraphqlService extends GraphqlPreparation {
  private engine: Promise<GraphqlEngine> | undefined;
  /** Once it has started. */
  private started: GraphqlEngine | undefined;
  private readonly metrics: GraphqlMetrics;

  constructor(
    private readonly modules: LazyModuleLoader,
    private readonly discovery: DiscoveryService,
    private readonly guard: BearerGuard,
    private readonly model: Model,
    private readonly reader: EntityReader,
    @Inject(GRAPHQL_LIMITS) private readonly limits: GraphqlLimits,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'compatibility'>,
    @Optional() @Inject(Meter) meter: Meter | undefined,
  ) {
    super();
    this.metrics = graphqlMetrics(meter, async () => (await this.engine)?.keptBytes ?? 0);
  }

  /** Runs an operation. What goes wrong in it is in the answer, too. */
  async run(request: AuthenticatedRequest, operation: Operation): Promise<GraphqlAnswer> {
    const principal = this.guard.recognize(request) ?? (await this.guard.authenticate(request));
    const engine = this.started ?? (await this.ready());
    return engine.run(request, principal, operation);
  }

  override prepareAfter({ raw }: FastifyReply): void {
    // Who asks next is told of a failure.
    raw.once('finish', () => void this.ready().catch(() => undefined));
  }

  /** The schema in its own language, with everything that the modules contribute. */
  async sdl(): Promise<string> {
    return (await this.ready()).sdl();
  }

  private ready(): Promise<GraphqlEngine> {
    this.engine ??= this.start().then(
      (engine) => (this.started = engine),
      (error: unknown) => {
        // A failed start must not be the last one.
        this.engine = undefined;
        throw error;
      },
    );
    return this.engine;
  }

  private async start(): Promise<GraphqlEngine> {
    const { GraphqlEngine } = await import('./engine/engine.js');
    const created = await Promise.all(discovered(this.discovery, LazyResolvers).map((lazy) => lazy.create()));
    return GraphqlEngine.start(this.modules, created.flat(), {
      model: this.model,
      reader: this.reader,
      limits: this.limits,
      metrics: this.metrics,
      compatibility: this.settings.compatibility,
    });
  }
}
