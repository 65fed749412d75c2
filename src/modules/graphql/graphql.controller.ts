import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { Documented } from '../../catalog/extension/documented.js';
import type { DirectReply, DirectRequest } from '../../catalog/extension/direct-route.js';
import { Marked, type AuthenticatedRequest } from '../auth/index.js';
import { GraphqlEndpoint } from './graphql.endpoint.js';

/** The one endpoint of GraphQL: a JSON body by POST. What is executed answers 200, whether it went well or not. */
@Controller('api/graphql')
export class GraphqlController {
  constructor(private readonly endpoint: GraphqlEndpoint) {}

  @Post()
  @Marked({ ownTimeLimit: true, direct: GraphqlEndpoint })
  @HttpCode(200)
  @Documented({
    summary: 'Runs one GraphQL operation; the playground at /graphiql shows the schema.',
    parameters: {
      query: 'a GraphQL document',
      variables: 'values of its variables',
      operationName: 'which of its operations, when there are several',
    },
    answer: '{data, errors, extensions}',
    example: { path: '/api/graphql', body: { query: '{ tag(urn: "urn:li:tag:PII") { displayName } }' } },
  })
  run(
    @Req() request: DirectRequest & AuthenticatedRequest,
    @Res({ passthrough: true }) reply: DirectReply,
  ): Promise<string> {
    return this.endpoint.serve(request, reply);
  }
}
