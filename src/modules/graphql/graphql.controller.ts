import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { Documented } from '../../catalog/extension/documented.js';
import type { AuthenticatedRequest } from '../auth/index.js';
import { readOperation } from './operation.js';
import { GraphqlService } from './graphql.service.js';

/** The one door of GraphQL: a JSON body by POST. What is executed answers 200, whether it went well or not. */
@Controller('api/graphql')
export class GraphqlController {
  constructor(private readonly service: GraphqlService) {}

  @Post()
  @HttpCode(200)
  @Documented({
    summary: 'Runs one GraphQL operation; the playground at /graphiql shows the schema.',
    parameters: {
      query: 'a GraphQL document',
      variables: 'values of its variables',
      operationName: 'which of its operations, when there are several',
    },
    answer: '{data, errors, extensions}',
  })
  async run(@Req() request: AuthenticatedRequest, @Body() body: unknown): Promise<object> {
    return this.service.run(request, readOperation(body));
  }
}
