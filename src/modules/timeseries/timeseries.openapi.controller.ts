import type { Readable } from 'node:stream';
import { Controller, Param, Res } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { DirectReply } from '../../catalog/extension/direct-route.js';
import { refuse } from '../../catalog/errors/index.js';
import { readJson } from '../../catalog/json/index.js';
import { pageOf, type ValuesOf } from '../../catalog/route/index.js';
import { QueryOf, Serves } from '../../routing/serves.js';
import { listText, TEXT_TYPE, textInParts } from '../../routing/text-in-parts.js';
import { CurrentPrincipal } from '../auth/index.js';
import { EntityNames } from '../entities/index.js';
import { EventWalkService, type ShownEvent } from './event-walk.service.js';
import { listEvents } from './timeseries.routes.js';

/** `/openapi/v2/timeseries`: the events of all entities of a kind. */
@Controller()
export class TimeseriesOpenapiController {
  constructor(
    private readonly walks: EventWalkService,
    private readonly names: EntityNames,
  ) {}

  @Serves(listEvents)
  async events(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entityName: string,
    @Param('aspect') aspectName: string,
    @QueryOf(listEvents) values: ValuesOf<typeof listEvents>,
    @Res({ passthrough: true }) reply: DirectReply,
  ): Promise<string | Readable> {
    const entity = this.names.entity(entityName);
    const aspect = this.names.aspect(entity, aspectName);
    if (aspect.kind !== 'timeseries')
      throw refuse('ASPECT_KIND_WRONG', `"${aspect.name}" is no time-series aspect`, '/aspect');
    const { startTimeMillis: from, endTimeMillis: to, systemMetadata = false } = values;
    const input = { entity: entity.name, aspect: aspect.name, from, to };
    const page = await this.walks.walk(principal, input, pageOf(values));
    async function* parts(): AsyncGenerator<string> {
      yield* listText('{"results":[', eventTexts(page.portions, systemMetadata), '],');
      // The last event of the page is known then.
      yield `"scrollId":${JSON.stringify(await page.scrollId())}}`;
    }
    reply.header('content-type', TEXT_TYPE);
    return textInParts(parts());
  }
}

async function* eventTexts(
  portions: AsyncIterable<readonly ShownEvent[]>,
  systemMetadata: boolean,
): AsyncGenerator<string[]> {
  for await (const events of portions) yield events.map((event) => eventText(event, systemMetadata));
}

/** The value is passed on as the text that it is stored as. */
function eventText({ urn, time, aspect }: ShownEvent, systemMetadata: boolean): string {
  const { value } = aspect;
  const { messageId } = value.includes('"messageId"') ? (readJson(value) as Record<string, unknown>) : {};
  const id = typeof messageId === 'string' ? `,"messageId":${JSON.stringify(messageId)}` : '';
  const metadata = systemMetadata ? `,"systemMetadata":${aspect.systemMetadata}` : '';
  return `{"timestampMillis":${time},"urn":${JSON.stringify(urn)},"event":${value}${id}${metadata}}`;
}
