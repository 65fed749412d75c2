import type { DiscoveryService } from '@nestjs/core';
import { ChangeLogConsumer } from '../../catalog/change/index.js';
import { discovered } from '../entities/index.js';

/** Names of the consumers that this version of the service has. */
export const consumerNames = (discovery: DiscoveryService): Set<string> =>
  new Set(discovered(discovery, ChangeLogConsumer).map(({ name }) => name));
