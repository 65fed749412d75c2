import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { Documented } from '../../../catalog/extension/documented.js';
import { jsonPointer } from '../../../catalog/json/index.js';
import { isRecord } from '../../../catalog/model/index.js';
import { Parameters } from '../../../catalog/restli/index.js';
import { CurrentPrincipal } from '../../auth/index.js';
import { TraceService, type AspectTrace, type ReceiptAnswer } from './trace.service.js';

/** `/openapi/v1/trace/write/{id}`: what became of a write that was accepted to be carried out later. */
@Controller('openapi/v1/trace/write')
export class TraceController {
  constructor(private readonly traces: TraceService) {}

  @Get(':traceId')
  @Documented({ summary: 'Tells what became of an accepted write.' })
  receipt(@CurrentPrincipal() principal: Principal, @Param('traceId') trace: string): Promise<ReceiptAnswer> {
    return this.traces.receipt(principal, trace);
  }

  @Post(':traceId')
  @HttpCode(200)
  @Documented({ summary: 'Tells what became of some aspects of an accepted write.' })
  trace(
    @CurrentPrincipal() principal: Principal,
    @Param('traceId') trace: string,
    @Query() query: Record<string, unknown>,
    @Body() body: unknown,
  ): Promise<Record<string, Record<string, AspectTrace>>> {
    const parameters = Parameters.of(query, ['onlyIncludeErrors', 'detailed', 'skipCache']);
    parameters.flag('detailed');
    parameters.flag('skipCache');
    const onlyErrors = parameters.flag('onlyIncludeErrors') ?? false;
    return this.traces.trace(principal, trace, readAspects(body), onlyErrors);
  }
}

/** `{<urn>: [<aspect>]}`. */
function readAspects(body: unknown): Map<string, string[]> {
  if (!isRecord(body))
    throw refuse('PROPOSAL_MALFORMED', 'the body must be an object of lists of aspects, by URN', '');
  return new Map(
    Object.entries(body).map(([urn, names]) => {
      const texts = Array.isArray(names) && names.every((name): name is string => typeof name === 'string');
      if (texts) return [urn, names];
      throw refuse('PROPOSAL_MALFORMED', 'must be a list of names of aspects', jsonPointer([urn]));
    }),
  );
}
