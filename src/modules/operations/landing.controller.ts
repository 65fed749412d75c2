import { fileURLToPath } from 'node:url';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { Documented } from '../../catalog/extension/documented.js';
import { PageFiles } from '../../http/page-files.js';
import { Serves } from '../../routing/serves.js';
import { PageParts } from '../auth/index.js';
import { getLandingPage } from './operations.routes.js';

/** Where the build puts the page: see scripts/bundle-home-page.mjs. */
const FOLDER = fileURLToPath(new URL('../../home/', import.meta.url));

/** The page may load what lies beside it and speak to this service, and nothing else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** `/`: where to go from here, and how the catalog is. Its files need no token; what it asks the API does. */
@PageParts()
@Controller()
export class LandingController {
  private readonly files = new PageFiles(FOLDER, { 'content-security-policy': POLICY }, 'the first page');
  private readonly start: string;

  constructor(@Inject(CATALOG_SETTINGS) settings: Pick<CatalogSettings, 'web'>) {
    this.start = settings.web ? 'index.html' : 'without-web.html';
  }

  @Serves(getLandingPage)
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.files.serve(request, reply, this.start);
  }

  @Get('home/:digest/:file')
  @Documented({ summary: 'A file of the first page.' })
  file(
    @Param('digest') digest: string,
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.files.serve(request, reply, `${digest}/${file}`);
  }
}
