import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DirectRoute, type DirectReply, type DirectRequest } from '../../catalog/extension/direct-route.js';
import { JsonText } from '../../catalog/json/index.js';
import { Actions, RESOURCES } from '../../catalog/route/index.js';
import { principalOf, type AuthenticatedRequest } from '../auth/index.js';
import { TEXT_TYPE, textInParts } from '../../routing/text-in-parts.js';
import { ActionTable } from './action-table.js';
import { discovered } from './discovered.js';

/** Hands calls of actions to the modules that own them. */
@Injectable()
export class ActionEndpoint extends DirectRoute implements OnModuleInit {
  /** By the address of their resource. */
  private readonly tables = new Map<string | undefined, ActionTable>();

  constructor(private readonly discovery: DiscoveryService) {
    super();
  }

  onModuleInit(): void {
    const groups = discovered(this.discovery, Actions);
    for (const resource of RESOURCES) this.tables.set(`/${resource}`, new ActionTable(resource, groups));
  }

  override async serve(request: DirectRequest & AuthenticatedRequest, reply: DirectReply): Promise<unknown> {
    const { routeOptions, query, body, headers } = request;
    const table = this.tables.get(routeOptions.url);
    if (table === undefined) throw new Error(`no actions at ${routeOptions.url}`);
    const answer = await table.call(
      principalOf(request),
      query as Readonly<Record<string, unknown>>,
      body,
      headers,
    );
    if (!(answer?.value instanceof JsonText)) return answer;
    reply.header('content-type', TEXT_TYPE);
    return textInParts(within('{"value":', answer.value.parts, '}'));
  }
}

async function* within(before: string, parts: AsyncGenerator<string>, after: string): AsyncGenerator<string> {
  yield before;
  yield* parts;
  yield after;
}
