import { Controller, Inject, Res } from '@nestjs/common';
import { Serves } from '../../routing/serves.js';
import { Public } from '../auth/index.js';
import { HealthService, type Health } from './health.service.js';
import { getHealth, getLiveness, getReadiness } from './operations.routes.js';

/** The little of a reply that is needed to choose the status. */
interface StatusReply {
  status(code: number): unknown;
}

/** For load balancers and process supervisors; needs no token. */
@Public()
@Controller()
export class HealthController {
  constructor(@Inject(HealthService) private readonly service: HealthService) {}

  @Serves(getHealth)
  async health(@Res({ passthrough: true }) reply: StatusReply): Promise<Omit<Health, 'ready'>> {
    const { ready, ...shown } = await this.service.health();
    if (!ready) reply.status(503);
    return shown;
  }

  @Serves(getLiveness)
  live(): { status: 'UP' } {
    return { status: 'UP' };
  }

  @Serves(getReadiness)
  async ready(@Res({ passthrough: true }) reply: StatusReply): Promise<Pick<Health, 'status'>> {
    const { ready, status } = await this.service.health();
    if (!ready) reply.status(503);
    return { status };
  }
}
