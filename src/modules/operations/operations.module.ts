import { Module } from '@nestjs/common';
import { DiscoveryModule, MetadataScanner } from '@nestjs/core';
import { ActionsModule } from '../entities/index.js';
import { ConfigController } from './config.controller.js';
import { EndpointListing } from './endpoint-listing.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { MetricsController } from './metrics.controller.js';
import { OperationsController } from './operations.controller.js';
import { LandingController } from './landing.controller.js';
import { Readiness } from './readiness.js';
import { RestliDocsController } from './restli-docs.controller.js';
import { WebController } from './web.controller.js';

/** What an operator of the service needs. Wants providers of `Database`, `CATALOG_SETTINGS` and `MODEL_DIGEST`. */
@Module({
  imports: [DiscoveryModule, ActionsModule],
  controllers: [
    HealthController,
    MetricsController,
    ConfigController,
    OperationsController,
    RestliDocsController,
    LandingController,
    WebController,
  ],
  providers: [Readiness, HealthService, EndpointListing, MetadataScanner],
  exports: [HealthService],
})
export class OperationsModule {}
