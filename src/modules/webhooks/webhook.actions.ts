import { Injectable } from '@nestjs/common';
import { Actions, serve } from '../../catalog/route/index.js';
import {
  deleteWebhook,
  listWebhooks,
  pauseWebhook,
  registerWebhook,
  resumeWebhook,
  rotateWebhookSecret,
} from './webhook.routes.js';
import { WebhookService } from './webhook.service.js';

/** What administrators do about webhooks. */
@Injectable()
export class WebhookActions extends Actions {
  readonly actions = [
    serve(registerWebhook, (principal, values) => {
      const { name, url, topic = 'PlatformEvent_v1', offsetId } = values;
      const { entityTypes = [], aspects = [], categories = [], urns = [] } = values;
      const filter = { entityTypes, aspects, categories, urns };
      return this.service.register(principal, { name, url, topic, filter, offsetId });
    }),
    serve(listWebhooks, (principal) => this.service.list(principal)),
    serve(rotateWebhookSecret, (principal, { name }) => this.service.rotate(principal, name)),
    serve(resumeWebhook, (principal, { name, offsetId }) => this.service.resume(principal, name, offsetId)),
    serve(pauseWebhook, (principal, { name }) => this.service.pause(principal, name)),
    serve(deleteWebhook, (principal, { name }) => this.service.delete(principal, name)),
  ];

  constructor(private readonly service: WebhookService) {
    super();
  }
}
