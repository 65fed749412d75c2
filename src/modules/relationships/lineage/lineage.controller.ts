import { Controller } from '@nestjs/common';
import { ActionController } from '../../entities/index.js';

/** `POST /relationships`: walks along lineage. */
@Controller('relationships')
export class LineageController extends ActionController {}
