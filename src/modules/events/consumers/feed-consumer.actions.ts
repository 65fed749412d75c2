import { Injectable } from '@nestjs/common';
import { Actions, serve } from '../../../catalog/route/index.js';
import { deleteFeedConsumer, listFeedConsumers, registerFeedConsumer } from './feed-consumer.routes.js';
import { FeedConsumers } from './feed-consumer.service.js';

/** What administrators do about registered readers of the change feed. */
@Injectable()
export class FeedConsumerActions extends Actions {
  readonly actions = [
    serve(registerFeedConsumer, (principal, { name, actor, offsetId }) =>
      this.consumers.register(principal, { name, actor, offsetId }),
    ),
    serve(listFeedConsumers, (principal) => this.consumers.list(principal)),
    serve(deleteFeedConsumer, (principal, { name }) => this.consumers.delete(principal, name)),
  ];

  constructor(private readonly consumers: FeedConsumers) {
    super();
  }
}
