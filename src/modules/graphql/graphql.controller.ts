import { Body, Controller, Header, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { Documented } from '../../catalog/extension/documented.js';
import { Parameters } from '../../catalog/restli/index.js';
import { Marked, type AuthenticatedRequest } from '../auth/index.js';
import { readOperation } from './operation.js';
import { GraphqlService } from './graphql.service.js';

interface Reply {
  header(name: string, value: string): unknown;
}

/** The one endpoint of GraphQL: a JSON body by POST. What is executed answers 200, whether it went well or not. */
@Controller('api/graphql')
export class GraphqlController {
  constructor(private readonly service: GraphqlService) {}

  @Post()
  @Marked({ ownTimeLimit: true })
  @HttpCode(200)
  @Header('content-type', 'application/json; charset=utf-8')
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
  async run(
    @Req() request: AuthenticatedRequest,
    @Query() query: unknown,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<string> {
    Parameters.of(query, []);
    const { text, retryAfter } = await this.service.run(request, readOperation(body));
    if (retryAfter > 0) reply.header('retry-after', String(retryAfter));
    return text;
  }
}
