import { Controller } from '@nestjs/common';
import { ActionController } from '../entities/index.js';

/** `/analytics`: tables of what events say. */
@Controller('analytics')
export class AnalyticsController extends ActionController {}
