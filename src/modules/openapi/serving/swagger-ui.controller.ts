import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Documented } from '../../../catalog/extension/documented.js';
import { PageParts } from '../../auth/index.js';
import { SwaggerUiService } from './swagger-ui.service.js';

/** `/openapi/swagger-ui`: the explorer of the API. */
@PageParts()
@Controller('openapi/swagger-ui')
export class SwaggerUiController {
  constructor(private readonly ui: SwaggerUiService) {}

  @Get()
  @Documented({ summary: 'Swagger UI.' })
  async page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // The files of the page are found beside it.
    const [path = '', search] = request.originalUrl.split('?', 2);
    if (path.endsWith('/')) await this.ui.send(request, reply, '');
    else void reply.redirect(`/openapi/swagger-ui/${search === undefined ? '' : `?${search}`}`, 302);
  }

  @Get(':file')
  @Documented({ summary: 'A file of Swagger UI.' })
  async file(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.ui.send(request, reply, file);
  }

  @Get(':digest/:file')
  @Documented({ summary: 'A file of Swagger UI that never changes.' })
  async unchanging(
    @Param('digest') digest: string,
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.ui.send(request, reply, `${digest}/${file}`);
  }
}
