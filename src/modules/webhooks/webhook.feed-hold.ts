import { Injectable } from '@nestjs/common';
import { FeedHold } from '../change-log/index.js';
import { WebhookRepository } from './webhook.repository.js';

/** Keeps the change log for webhooks that have not read it. */
@Injectable()
export class WebhookFeedHold extends FeedHold {
  constructor(private readonly repository: WebhookRepository) {
    super();
  }

  override async positions(): Promise<number[]> {
    return (await this.repository.all()).map(({ position }) => position);
  }
}
