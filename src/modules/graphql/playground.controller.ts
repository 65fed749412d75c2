import { fileURLToPath } from 'node:url';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Documented } from '../../catalog/extension/documented.js';
import { CATALOG_SETTINGS, type CatalogSettings, type SignIn } from '../../catalog/settings.js';
import { connectable, PageFiles } from '../../http/page-files.js';
import { PageParts } from '../auth/index.js';
import { GraphqlPreparation } from './lazy.js';

/** Where the build puts the playground: see scripts/bundle-playground.mjs. */
const FOLDER = fileURLToPath(new URL('../../playground/', import.meta.url));

/** The page may load what lies beside it and speak to this service and the identity provider, and nothing else. */
const policyOf = (signIn: SignIn | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    "img-src 'self' data:",
    `connect-src ${connectable(signIn)}`,
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');

/** The GraphQL playground: static files that need no token; its requests to the API do. */
@PageParts()
@Controller('graphiql')
export class PlaygroundController {
  private readonly files: PageFiles;

  constructor(
    private readonly graphql: GraphqlPreparation,
    @Inject(CATALOG_SETTINGS) { signIn }: CatalogSettings,
  ) {
    this.files = new PageFiles(FOLDER, { 'content-security-policy': policyOf(signIn) }, 'the playground');
  }

  @Get()
  @Documented({ summary: 'The GraphQL playground, a page for people.' })
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.graphql.prepareAfter(reply);
    return this.files.serve(request, reply, 'index.html');
  }

  @Get(':digest/:file')
  @Documented({ summary: 'A file of the playground.' })
  file(
    @Param('digest') digest: string,
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.files.serve(request, reply, `${digest}/${file}`);
  }
}
