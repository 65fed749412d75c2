import { Controller } from '@nestjs/common';
import { ActionController } from '../entities/index.js';

/** `POST /operations?action=…`: what administrators do. */
@Controller('operations')
export class OperationsController extends ActionController {}
