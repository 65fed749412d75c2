import { Injectable } from '@nestjs/common';
import {
  DirectRoute,
  type DirectReply,
  type DirectRequest,
} from '../../../catalog/extension/direct-route.js';
import { checkQuery, type ValuesOf } from '../../../catalog/route/index.js';
import { principalOf, type AuthenticatedRequest } from '../../auth/index.js';
import { V2, V3 } from '../answers/entity-form.js';
import { answerBy } from '../answers/answer.js';
import { writeEntities } from '../base-controllers/entity.routes.js';
import { readWrite } from '../request/write-call.js';
import { BatchWritesService } from './batch-writes.service.js';

/** Writes a list of entities of one kind. */
@Injectable()
export class EntityWritesEndpoint extends DirectRoute {
  constructor(private readonly batches: BatchWritesService) {
    super();
  }

  override async serve(request: DirectRequest & AuthenticatedRequest, reply: DirectReply): Promise<unknown> {
    const { entity } = request.params as { entity: string };
    const form = request.routeOptions.url?.startsWith('/openapi/v2/') === true ? V2 : V3;
    const values = checkQuery(writeEntities, request) as ValuesOf<typeof writeEntities>;
    const call = readWrite(request, values, true);
    return answerBy(reply, await this.batches.entities(principalOf(request), form, entity, call));
  }
}
