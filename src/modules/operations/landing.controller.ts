import { Controller, Inject, Res } from '@nestjs/common';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { Serves } from '../../routing/serves.js';
import { Public } from '../auth/index.js';
import { PAGE_POLICY } from './endpoint-page.js';
import { landingPage } from './landing-page.js';
import { getLandingPage } from './operations.routes.js';

interface HeaderReply {
  headers(values: Record<string, string>): unknown;
}

/** `/`: where to go from here. */
@Public()
@Controller()
export class LandingController {
  constructor(@Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings) {}

  @Serves(getLandingPage)
  page(@Res({ passthrough: true }) reply: HeaderReply): string {
    reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY });
    return landingPage(this.settings.version);
  }
}
