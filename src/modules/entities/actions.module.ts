import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ActionEndpoint } from './action.endpoint.js';

/** For modules with a resource of the aspect API, see `ActionController`. */
@Module({ imports: [DiscoveryModule], providers: [ActionEndpoint], exports: [ActionEndpoint] })
export class ActionsModule {}
