import { Controller, Header } from '@nestjs/common';
import { Serves } from '../../routing/serves.js';
import { Public } from '../auth/index.js';
import { frontServerHealth, otherPages, track, trackByOpenapi } from './sign-in.routes.js';

/** What web clients of the field ask the server of their pages besides: that there is nothing to know. */
@Public()
@Controller()
export class FrontServerController {
  /** What people do on pages is not followed here: it is taken, since clients send it, and dropped. */
  @Serves(track, trackByOpenapi)
  track(): Record<string, never> {
    return {};
  }

  @Serves(otherPages)
  @Header('content-type', 'application/yaml; charset=utf-8')
  otherPages(): string {
    return 'subNavigationMode: false\nmicroFrontends: []\n';
  }

  @Serves(frontServerHealth)
  @Header('content-type', 'text/plain; charset=utf-8')
  health(): string {
    return 'GOOD';
  }
}
