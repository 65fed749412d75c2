import { Controller, Get, Param, Query } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { Documented } from '../../catalog/extension/documented.js';
import { Parameters } from '../../catalog/restli/index.js';
import { CurrentPrincipal } from '../auth/index.js';
import { ListQuery, required } from '../entities/index.js';
import { CATEGORIES, type Category } from './change-event.js';
import { TimelineService, type ChangeTransaction } from './timeline.service.js';

/** An older name of a category. */
const ALIASES: Readonly<Record<string, Category>> = { OWNER: 'OWNERSHIP' };

/** `/openapi/v2/timeline/v1`: what happened to an entity. */
@Controller('openapi/v2/timeline/v1')
export class TimelineController {
  constructor(private readonly service: TimelineService) {}

  @Get(':urn')
  @Documented({
    summary: 'Tells what happened to an entity, in the order of time.',
    parameters: {
      urn: 'URN of the entity',
      categories: `one or several of ${CATEGORIES.join(', ')}, separated by commas`,
      startTime: 'epoch milliseconds, included; from the beginning when absent',
      endTime: 'epoch milliseconds, included',
      raw: 'true to add the difference of the values as JSON Patch',
    },
    answer:
      '[{timestamp, actor, semVer, semVerChange, changeEvents: [{category, operation, entityUrn, modifier, description}]}]',
  })
  async timeline(
    @CurrentPrincipal() principal: Principal,
    @Param('urn') urn: string,
    @ListQuery('categories') categories: string[] | undefined,
    @Query() query: Record<string, unknown>,
  ): Promise<ChangeTransaction[]> {
    const parameters = Parameters.of(query);
    // Sets of versions are no part of the model: there is never a second timeline to merge.
    readFlag(parameters, 'includeVersionSet');
    return this.service.timeline(principal, {
      urn,
      categories: readCategories(required('categories', categories)),
      from: parameters.integer('startTime'),
      to: parameters.integer('endTime'),
      raw: readFlag(parameters, 'raw'),
    });
  }
}

/** Clients print the truth values of their own language: `True`. */
function readFlag(parameters: Parameters, name: string): boolean {
  const value = parameters.get(name);
  const known = typeof value === 'string' ? value.toLowerCase() : value;
  return Parameters.of({ [name]: known }).flag(name) ?? false;
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
