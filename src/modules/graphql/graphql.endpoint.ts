import { Injectable } from '@nestjs/common';
import { DirectRoute, type DirectReply, type DirectRequest } from '../../catalog/extension/direct-route.js';
import { Parameters } from '../../catalog/restli/index.js';
import type { AuthenticatedRequest } from '../auth/index.js';
import { GraphqlService } from './graphql.service.js';
import { readOperation } from './operation.js';

/** Reads a request of GraphQL over HTTP, and answers it. */
@Injectable()
export class GraphqlEndpoint extends DirectRoute {
  constructor(private readonly service: GraphqlService) {
    super();
  }

  override async serve(request: DirectRequest & AuthenticatedRequest, reply: DirectReply): Promise<string> {
    Parameters.of(request.query, []);
    const { text, retryAfter } = await this.service.run(request, readOperation(request.body));
    if (retryAfter > 0) reply.header('retry-after', String(retryAfter));
    reply.header('content-type', 'application/json; charset=utf-8');
    return text;
  }
}
