import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Documented } from '../../../catalog/extension/documented.js';
import { Public } from '../../auth/index.js';
import { SwaggerUiService } from './swagger-ui.service.js';

/** Everything comes from here, and calls go nowhere else. The library writes a script and styles into its page. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** `/openapi/swagger-ui`: the explorer of the API. */
@Public()
@Controller('openapi/swagger-ui')
export class SwaggerUiController {
  constructor(private readonly ui: SwaggerUiService) {}

  @Get()
  @Documented({ summary: 'Swagger UI.' })
  async page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // The files of the page are found beside it.
    const [path = '', search] = request.originalUrl.split('?', 2);
    if (path.endsWith('/')) await this.send('', reply);
    else void reply.redirect(`/openapi/swagger-ui/${search === undefined ? '' : `?${search}`}`, 302);
  }

  @Get(':file')
  @Documented({ summary: 'A file of Swagger UI.' })
  async file(@Param('file') file: string, @Res() reply: FastifyReply): Promise<void> {
    await this.send(file, reply);
  }

  private async send(file: string, reply: FastifyReply): Promise<void> {
    const { type, body } = await this.ui.file(file);
    void reply
      .headers({ 'content-type': type, 'content-security-policy': POLICY, 'cache-control': 'no-cache' })
      .send(body);
  }
}
