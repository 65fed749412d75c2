import { createGunzip } from 'node:zlib';
import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Documented } from '../../../catalog/extension/documented.js';
import { Parameters } from '../../../catalog/restli/index.js';
import { chooseEncoding } from '../../../http/encoding.js';
import { isKnown } from '../../../http/entity-tag.js';
import { Public } from '../../auth/index.js';
import { DocumentService } from './document.service.js';

/** `/openapi/v3/api-docs`: the OpenAPI documents. Needs no token: they tell about the model, not about the data. */
@Public()
@Controller('openapi/v3/api-docs')
export class DocumentController {
  constructor(private readonly documents: DocumentService) {}

  @Get()
  @Documented({
    summary: 'The OpenAPI document of entities and aspects of any kind: the one to generate clients from.',
    parameters: { openapi: '3.1 (default) or 3.0: the version of the OpenAPI specification' },
  })
  async core(
    @Query() query: Record<string, unknown>,
    @Headers() headers: RequestHeaders,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.send(undefined, query, headers, reply);
  }

  @Get(':name')
  @Documented({
    summary: 'One of the OpenAPI documents.',
    parameters: { openapi: '3.1 (default) or 3.0: the version of the OpenAPI specification' },
  })
  async one(
    @Param('name') name: string,
    @Query() query: Record<string, unknown>,
    @Headers() headers: RequestHeaders,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.send(name, query, headers, reply);
  }

  private async send(
    name: string | undefined,
    query: Record<string, unknown>,
    headers: RequestHeaders,
    reply: FastifyReply,
  ): Promise<void> {
    const version = Parameters.of(query, ['openapi']).word('openapi', ['3.1', '3.0']) ?? '3.1';
    const document = await this.documents.document(name, version);
    const encoding = await chooseEncoding(headers['accept-encoding'], document.encodings);
    // Each coding has a tag of its own: the bytes differ.
    const tag = encoding === 'identity' ? document.digest : `${document.digest}-${encoding}`;
    const cached = { etag: `"${tag}"`, 'cache-control': 'no-cache', vary: 'Accept-Encoding' };
    if (isKnown(headers['if-none-match'], tag)) return void reply.status(304).headers(cached).send();
    const bytes = await document.bytes(encoding === 'identity' ? 'gzip' : encoding);
    void reply.headers({ ...cached, 'content-type': 'application/json; charset=utf-8' });
    if (encoding !== 'identity') return void reply.headers({ 'content-encoding': encoding }).send(bytes);
    const unzip = createGunzip();
    unzip.end(bytes);
    void reply.headers({ 'content-length': document.size }).send(unzip);
  }
}

interface RequestHeaders {
  'accept-encoding'?: string;
  'if-none-match'?: string;
}
