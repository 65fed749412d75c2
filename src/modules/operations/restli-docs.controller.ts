import { createHash } from 'node:crypto';
import { Controller, Get, Headers, Inject, Res } from '@nestjs/common';
import { Documented } from '../../catalog/extension/documented.js';
import { isKnown } from '../../http/entity-tag.js';
import { Public } from '../auth/index.js';
import { EndpointListing, type EndpointGroup } from './endpoint-listing.js';
import { endpointPage, PAGE_POLICY } from './endpoint-page.js';

/** The little of a reply that is needed to label the answer. */
interface HeaderReply {
  headers(values: Record<string, string>): unknown;
  status(code: number): unknown;
}

/** `/restli/docs`: which endpoints there are; needs no token, as it tells nothing about the data. */
@Public()
@Controller('restli/docs')
export class RestliDocsController {
  constructor(@Inject(EndpointListing) private readonly listing: EndpointListing) {}

  @Get()
  @Documented({
    summary: 'This listing.',
    parameters: { Accept: 'application/json for programs; a page for people otherwise' },
    answer:
      '{groups: [{name, endpoints: [{method, path, summary, parameters, answer, example: {path, headers, body}}]}]}',
  })
  async docs(
    @Headers('accept') accept: string | undefined,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: HeaderReply,
  ): Promise<string | { groups: EndpointGroup[] }> {
    const groups = await this.listing.groups();
    reply.headers({ vary: 'accept' });
    if (accept?.includes('json') && !accept.includes('text/html')) return { groups };
    const page = endpointPage('Endpoints of the metadata catalog', groups);
    const tag = createHash('sha256').update(page).digest('base64url').slice(0, 22);
    // Weak, as the page is compressed on its way.
    reply.headers({ etag: `W/"${tag}"`, 'cache-control': 'no-cache' });
    if (isKnown(known, tag)) {
      reply.status(304);
      return '';
    }
    reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY });
    return page;
  }
}
