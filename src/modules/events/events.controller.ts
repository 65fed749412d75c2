import { Controller, Header, Headers, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../catalog/auth/index.js';
import type { ValuesOf } from '../../catalog/route/index.js';
import { currentRequest } from '../../catalog/schedule/index.js';
import { releaseBytes } from '../../catalog/store/index.js';
import { QueryOf, Serves } from '../../routing/serves.js';
import { BearerGuard, CurrentPrincipal, Marked } from '../auth/index.js';
import { EventStream } from './event-stream.js';
import { EventSubscriptions } from './event-subscriptions.service.js';
import { MAX_WAIT_SECONDS, pollEvents, streamEvents } from './events.routes.js';
import { POLL_TYPE, PollQuickRead } from './poll.quick-read.js';
import { limitOf, subscriptionOf } from './subscription.js';

/** `/openapi/v1/events`: the change feed. */
@Controller()
export class EventsController {
  constructor(
    private readonly subscriptions: EventSubscriptions,
    private readonly guard: BearerGuard,
  ) {}

  @Serves(pollEvents)
  @Marked({ waits: true, quick: PollQuickRead })
  @Header('content-type', POLL_TYPE)
  async poll(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(pollEvents) values: ValuesOf<typeof pollEvents>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const { pollTimeoutSeconds = MAX_WAIT_SECONDS } = values;
    const answer = await this.subscriptions.poll(principal, subscriptionOf(values), {
      limit: limitOf(values),
      waitMs: Math.min(pollTimeoutSeconds, MAX_WAIT_SECONDS) * 1000,
      // Made for those who wait.
      signal: () => currentRequest()?.signal,
    });
    // The system has all of it then.
    reply.raw.once('finish', () => releaseBytes(answer));
    return answer;
  }

  @Serves(streamEvents)
  @Marked({ waits: true })
  async stream(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(streamEvents) values: ValuesOf<typeof streamEvents>,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const subscription = subscriptionOf(values);
    subscription.offsetId = lastEventId ?? subscription.offsetId;
    const stream = new EventStream(reply.raw);
    const { headers } = request;
    await this.subscriptions.stream(principal, subscription, stream, {
      limit: values.limit ?? Infinity,
      open: () => {
        reply.hijack();
        stream.open(reply.getHeaders());
      },
      // A request of its own: what was found out about this one is not asked again.
      stillAllowed: () => this.guard.authenticate({ headers }),
    });
  }
}
