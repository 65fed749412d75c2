import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { QuickRead, type PlainRequest, type QuickAnswer } from '../../catalog/extension/quick-read.js';
import { checkQuery, type ValuesOf } from '../../catalog/route/index.js';
import { releaseBytes } from '../../catalog/store/index.js';
import { EventSubscriptions } from './event-subscriptions.service.js';
import { pollEvents } from './events.routes.js';
import { limitOf, subscriptionOf } from './subscription.js';

/** What an answer of the poll is. */
export const POLL_TYPE = 'application/json; charset=utf-8';

/** `GET /openapi/v1/events/poll` with a cursor: answers that were made before, or ahead for a reader who goes on. */
@Injectable()
export class PollQuickRead extends QuickRead {
  override readonly readsQuery = true;

  constructor(private readonly subscriptions: EventSubscriptions) {
    super();
  }

  async answer(principal: Principal, request: PlainRequest): Promise<QuickAnswer | undefined> {
    const body = await this.known(principal, request);
    return body && { body, contentType: POLL_TYPE, sent: () => releaseBytes(body) };
  }

  private async known(principal: Principal, request: PlainRequest): Promise<Buffer<ArrayBuffer> | undefined> {
    try {
      const values = checkQuery(pollEvents, request) as ValuesOf<typeof pollEvents>;
      return await this.subscriptions.known(principal, subscriptionOf(values), limitOf(values));
    } catch {
      // The route says what is wrong.
      return undefined;
    }
  }
}
