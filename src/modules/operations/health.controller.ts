import { Controller, Get, Inject, Res } from '@nestjs/common';
import { Documented } from '../../catalog/extension/documented.js';
import { Public } from '../auth/index.js';
import { HealthService, type Health } from './health.service.js';

/** The little of a reply that is needed to choose the status. */
interface StatusReply {
  status(code: number): unknown;
}

/** For load balancers and process supervisors; open to everybody. */
@Public()
@Controller('health')
export class HealthController {
  constructor(@Inject(HealthService) private readonly service: HealthService) {}

  @Get()
  @Documented({ summary: 'How the service and its parts are.', answer: '200 or 503 with {status, parts}' })
  async health(@Res({ passthrough: true }) reply: StatusReply): Promise<Omit<Health, 'ready'>> {
    const { ready, ...shown } = await this.service.health();
    if (!ready) reply.status(503);
    return shown;
  }

  @Get('live')
  @Documented({ summary: 'Whether the process runs.', answer: '200 with {status}' })
  live(): { status: 'UP' } {
    return { status: 'UP' };
  }

  @Get('ready')
  @Documented({ summary: 'Whether requests can be served.', answer: '200 or 503 with {status}' })
  async ready(@Res({ passthrough: true }) reply: StatusReply): Promise<Pick<Health, 'status'>> {
    const { ready, status } = await this.service.health();
    if (!ready) reply.status(503);
    return { status };
  }
}
