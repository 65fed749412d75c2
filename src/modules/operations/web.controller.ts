import { fileURLToPath } from 'node:url';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Documented } from '../../catalog/extension/documented.js';
import { CATALOG_SETTINGS, type CatalogSettings, type SignIn } from '../../catalog/settings.js';
import { connectable, PageFiles } from '../../http/page-files.js';
import { PageParts } from '../auth/index.js';
import { GraphqlPreparation } from '../graphql/lazy.js';

/** Where the build puts the application: see scripts/bundle-web.mjs. */
const FOLDER = fileURLToPath(new URL('../../web/', import.meta.url));

/** The page may load what lies beside it and speak to this service and the provider where people sign in, and nothing else. */
const policyOf = (signIn: SignIn | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${connectable(signIn)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/**
 * `/web`: the web application, unless CATALOG_WEB=off. Its places are in the fragment of the address, so this page is all of
 * them. Its files need no token; what it asks GraphQL does.
 */
@PageParts()
@Controller('web')
export class WebController {
  private readonly files: PageFiles;

  constructor(
    private readonly graphql: GraphqlPreparation,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'web' | 'signIn'>,
  ) {
    const headers = { 'content-security-policy': policyOf(settings.signIn) };
    this.files = new PageFiles(FOLDER, headers, 'the web application');
  }

  @Get()
  @Documented({ summary: 'The web application, a page for people.' })
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (this.settings.web) this.graphql.prepareAfter(reply);
    return this.send(request, reply, 'index.html');
  }

  @Get(':digest/:file')
  @Documented({ summary: 'A file of the web application.' })
  file(
    @Param('digest') digest: string,
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.send(request, reply, `${digest}/${file}`);
  }

  /** @throws CatalogError FILE_NOT_FOUND also where the application is left out */
  private send(request: FastifyRequest, reply: FastifyReply, path: string): Promise<void> {
    if (!this.settings.web) throw this.files.refusal(path);
    return this.files.serve(request, reply, path);
  }
}
