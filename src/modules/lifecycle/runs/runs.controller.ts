import { Controller } from '@nestjs/common';
import { ActionController } from '../../entities/index.js';

/** `/runs`: what one execution of a client has written, and how to undo it. */
@Controller('runs')
export class RunsController extends ActionController {}
