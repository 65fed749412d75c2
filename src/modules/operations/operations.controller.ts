import { Controller } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { SharedActionController } from '../entities/index.js';

/** `POST /operations?action=…`: what administrators do. */
@Controller('operations')
export class OperationsController extends SharedActionController {
  constructor(discovery: DiscoveryService) {
    super('operations', discovery);
  }
}
