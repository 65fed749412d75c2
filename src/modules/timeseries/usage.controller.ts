import { Controller } from '@nestjs/common';
import { ActionController } from '../entities/index.js';

/** `/usageStats`: how datasets are used. */
@Controller('usageStats')
export class UsageController extends ActionController {}
