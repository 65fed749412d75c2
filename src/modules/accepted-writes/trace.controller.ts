import { Body, Controller, Param } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { jsonPointer } from '../../catalog/json/index.js';
import { isRecord } from '../../catalog/model/index.js';
import type { ValuesOf } from '../../catalog/route/index.js';
import { QueryOf, Serves } from '../../routing/serves.js';
import { CurrentPrincipal } from '../auth/index.js';
import { getReceipt, traceWrite } from './trace.routes.js';
import { TraceService, type AspectTrace, type ReceiptAnswer } from './trace.service.js';

/** `/openapi/v1/trace/write/{id}`: what became of a write that was accepted to be carried out later. */
@Controller()
export class TraceController {
  constructor(private readonly traces: TraceService) {}

  @Serves(getReceipt)
  receipt(@CurrentPrincipal() principal: Principal, @Param('traceId') trace: string): Promise<ReceiptAnswer> {
    return this.traces.receipt(principal, trace);
  }

  @Serves(traceWrite)
  trace(
    @CurrentPrincipal() principal: Principal,
    @Param('traceId') trace: string,
    @QueryOf(traceWrite) { onlyIncludeErrors = false }: ValuesOf<typeof traceWrite>,
    @Body() body: unknown,
  ): Promise<Record<string, Record<string, AspectTrace>>> {
    return this.traces.trace(principal, trace, readAspects(body), onlyIncludeErrors);
  }
}

/** `{<urn>: [<aspect>]}`. */
function readAspects(body: unknown): Map<string, string[]> {
  if (!isRecord(body))
    throw refuse(
      'PROPOSAL_MALFORMED',
      'the body must be an object that maps URNs to arrays of aspect names',
      '',
    );
  return new Map(
    Object.entries(body).map(([urn, names]) => {
      const texts = Array.isArray(names) && names.every((name): name is string => typeof name === 'string');
      if (texts) return [urn, names];
      throw refuse('PROPOSAL_MALFORMED', 'must be an array of aspect names', jsonPointer([urn]));
    }),
  );
}
