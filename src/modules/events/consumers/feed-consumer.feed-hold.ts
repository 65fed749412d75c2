import { Injectable } from '@nestjs/common';
import { FeedHold } from '../../change-log/index.js';
import { FeedConsumerRepository } from './feed-consumer.repository.js';

/** Keeps the change log for registered readers that have not confirmed it. */
@Injectable()
export class FeedConsumerHold extends FeedHold {
  constructor(private readonly repository: FeedConsumerRepository) {
    super();
  }

  override async positions(): Promise<number[]> {
    return (await this.repository.all()).map(({ position }) => position);
  }
}
