import { Controller, Get, Inject, Res } from '@nestjs/common';
import { Documented } from '../../catalog/extension/documented.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { Public } from '../auth/index.js';
import { PAGE_POLICY } from './endpoint-page.js';
import { landingPage } from './landing-page.js';

interface HeaderReply {
  headers(values: Record<string, string>): unknown;
}

/** `/`: where to go from here. */
@Public()
@Controller()
export class LandingController {
  constructor(@Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings) {}

  @Get()
  @Documented({ summary: 'A page that leads to the others.' })
  page(@Res({ passthrough: true }) reply: HeaderReply): string {
    reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY });
    return landingPage(this.settings.version);
  }
}
