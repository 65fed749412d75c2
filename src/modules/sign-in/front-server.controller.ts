import { Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { Documented } from '../../catalog/extension/documented.js';
import { Public } from '../auth/index.js';

/** What web clients of the field ask the server of their pages besides: that there is nothing to know. */
@Public()
@Controller()
export class FrontServerController {
  /** What people do on pages is not followed here: it is taken, since clients send it, and dropped. */
  @Post(['track', 'openapi/v1/tracking/track'])
  @HttpCode(200)
  @Documented({ summary: 'Takes what a page says of its use, and drops it.', answer: '{}' })
  track(): Record<string, never> {
    return {};
  }

  @Get('mfe/config')
  @Header('content-type', 'application/yaml; charset=utf-8')
  @Documented({ summary: 'Which pages of others a web client shows: none.', answer: 'YAML' })
  otherPages(): string {
    return 'subNavigationMode: false\nmicroFrontends: []\n';
  }

  @Get('admin')
  @Header('content-type', 'text/plain; charset=utf-8')
  @Documented({ summary: 'That the server of the pages runs.', answer: 'GOOD' })
  health(): string {
    return 'GOOD';
  }
}
