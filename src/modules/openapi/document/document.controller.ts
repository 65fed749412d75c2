import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Documented } from '../../../catalog/extension/documented.js';
import { Parameters } from '../../../catalog/restli/index.js';
import { Public } from '../../auth/index.js';
import { DocumentService } from './document.service.js';

/** `/openapi/v3/api-docs`: the OpenAPI documents. Open to everybody: they tell about the model, not about the data. */
@Public()
@Controller('openapi/v3/api-docs')
export class DocumentController {
  constructor(private readonly documents: DocumentService) {}

  @Get()
  @Documented({
    summary: 'The OpenAPI document of the entities that most catalogs are about.',
    parameters: { openapi: '3.1 (default) or 3.0: the version of the OpenAPI specification' },
  })
  async core(
    @Query() query: Record<string, unknown>,
    @Headers('accept-encoding') encodings: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.send(undefined, query, encodings, reply);
  }

  @Get(':name')
  @Documented({
    summary: 'One of the OpenAPI documents.',
    parameters: { openapi: '3.1 (default) or 3.0: the version of the OpenAPI specification' },
  })
  async one(
    @Param('name') name: string,
    @Query() query: Record<string, unknown>,
    @Headers('accept-encoding') encodings: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.send(name, query, encodings, reply);
  }

  private async send(
    name: string | undefined,
    query: Record<string, unknown>,
    encodings: string | undefined,
    reply: FastifyReply,
  ): Promise<void> {
    const version = Parameters.of(query, ['openapi']).word('openapi', ['3.1', '3.0']) ?? '3.1';
    const gzipped = /\bgzip\b/.test(encodings ?? '');
    const body = gzipped
      ? await this.documents.compressed(name, version)
      : await this.documents.plain(name, version);
    void reply
      .headers({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-cache',
        vary: 'accept-encoding',
        ...(gzipped && { 'content-encoding': 'gzip' }),
      })
      .send(body);
  }
}
