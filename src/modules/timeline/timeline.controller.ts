import type { Readable } from 'node:stream';
import { Controller, Param, Res } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import type { DirectReply } from '../../catalog/extension/direct-route.js';
import type { ValuesOf } from '../../catalog/route/index.js';
import { turn } from '../../catalog/schedule/index.js';
import { QueryOf, Serves } from '../../routing/serves.js';
import { listText, TEXT_TYPE, textInParts } from '../../routing/text-in-parts.js';
import { CurrentPrincipal } from '../auth/index.js';
import { CATEGORIES, type Category } from './change-event.js';
import { getTimeline, getTimelineV1 } from './timeline.routes.js';
import { TimelineService, type ChangeTransaction } from './timeline.service.js';

/** Changes that become text in one piece. */
const TOGETHER = 500;

/** An older name of a category. */
const ALIASES: Readonly<Record<string, Category>> = { OWNER: 'OWNERSHIP' };

/** `/openapi/v2/timeline/v1` and `/openapi/timeline/v1`: what happened to an entity. */
@Controller()
export class TimelineController {
  constructor(private readonly service: TimelineService) {}

  @Serves(getTimeline, getTimelineV1)
  async timeline(
    @CurrentPrincipal() principal: Principal,
    @Param('urn') urn: string,
    @QueryOf(getTimeline) values: ValuesOf<typeof getTimeline>,
    @Res({ passthrough: true }) reply: DirectReply,
  ): Promise<string | Readable> {
    const { categories, startTime, endTime, raw = false, includeVersionSet = false } = values;
    const query = {
      urn,
      categories: readCategories(categories),
      from: startTime,
      // How some clients say that there is no end.
      to: endTime === 0 ? undefined : endTime,
      raw,
      narrowedBy: '/startTime',
    };
    const transactions = await (includeVersionSet
      ? this.service.ofVersions(principal, query)
      : this.service.timeline(principal, query));
    reply.header('content-type', TEXT_TYPE);
    return textInParts(partsOf(transactions));
  }
}

/** The answer, some changes at a time. */
async function* partsOf(transactions: readonly ChangeTransaction[]): AsyncGenerator<string> {
  let before = '[';
  for (const { changeEvents, rawDiff, ...transaction } of transactions) {
    yield* listText(
      `${before}${JSON.stringify(transaction).slice(0, -1)},"changeEvents":[`,
      textsOf(changeEvents),
      ']',
    );
    if (rawDiff) yield* listText(',"rawDiff":[', textsOf(rawDiff), ']');
    yield '}';
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

async function* textsOf(elements: readonly object[]): AsyncGenerator<string[]> {
  for (let from = 0; from < elements.length; from += TOGETHER) {
    await turn();
    yield elements.slice(from, from + TOGETHER).map((element) => JSON.stringify(element));
  }
}

function readCategories(given: readonly string[]): Set<Category> {
  const names = given.flatMap((text) => text.split(',')).map((text) => text.trim().toUpperCase());
  return new Set(
    names.map((name) => {
      const category = ALIASES[name] ?? CATEGORIES.find((known) => known === name);
      if (category !== undefined) return category;
      throw refuse(
        'PARAMETER_INVALID',
        `unknown category "${name}", must be one of ${CATEGORIES.join(', ')}`,
        '/categories',
      );
    }),
  );
}
