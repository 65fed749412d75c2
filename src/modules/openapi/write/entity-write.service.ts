import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import {
  clearingPath,
  traceHeaders,
  type ChangeProposal,
  type ProposalOutcome,
} from '../../../catalog/change/index.js';
import { IndexBarrier } from '../../../catalog/search/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';
import { AcceptedWrites, receiptPath } from '../../accepted-writes/index.js';
import { IngestService } from '../../ingest/index.js';
import type { HttpAnswer } from '../answers/answer.js';
import { IdempotencyService } from '../idempotency/idempotency.service.js';
import type { WriteCall } from '../request/write-call.js';
import type { WriteAnswers } from './written.js';

/** How long a write waits until it can be found, when it was asked to. */
const SEARCHABLE_MS = 15_000;

/** Carries out the writes of the entity endpoints, now or later, once for each idempotency key. */
@Injectable()
export class EntityWriteService {
  constructor(
    private readonly ingest: IngestService,
    private readonly accepted: AcceptedWrites,
    private readonly idempotency: IdempotencyService,
    private readonly barrier: IndexBarrier,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'compatibility'>,
  ) {}

  async write(
    principal: Principal,
    call: WriteCall,
    given: readonly ChangeProposal[],
    answers: WriteAnswers,
  ): Promise<HttpAnswer> {
    const { createIfNotExistsWrites } = this.settings.compatibility;
    const asked = askedBy({ ...call, mustExist: call.mustExist && !createIfNotExistsWrites });
    const proposals = asked ? given.map((proposal) => ({ ...proposal, ...asked })) : given;
    const searchable = proposals.some(({ waitForIndex }) => waitForIndex === true);
    const answer = await this.idempotency.once(principal, call, async (remember) => {
      // Nothing to carry out later is done already.
      if (call.async && proposals.length > 0)
        return this.accepted.accept(
          principal,
          proposals,
          (trace) => acceptedAs(answers.accepted(proposals, trace), trace),
          remember,
        );
      const done = (outcomes: readonly ProposalOutcome[]): HttpAnswer =>
        followed(answers.done(outcomes), outcomes);
      if (remember === undefined) return done(await this.ingest.submit(principal, proposals));
      let first: HttpAnswer | undefined;
      const outcomes = await this.ingest.submit(principal, proposals, {
        settle: async (tx, settled) => {
          first = done(settled);
          await remember(tx, first);
        },
      });
      return first ?? done(outcomes);
    });
    if (searchable && !call.async) await this.barrier.reached(SEARCHABLE_MS);
    return answer;
  }
}

/**
 * Leads to what follows from the deletion of entities that others refer to. Not by `traceparent` where there is no body:
 * clients of the field read from the body what they can trace by it, and log an error when there is none.
 */
function followed(answer: HttpAnswer, outcomes: readonly ProposalOutcome[]): HttpAnswer {
  const trace = outcomes.find(({ clearing }) => clearing !== undefined)?.clearing;
  if (trace === undefined) return answer;
  const location = clearingPath(trace);
  const leading = answer.body === undefined ? { location } : traceHeaders(trace, location);
  return { ...answer, headers: { ...answer.headers, ...leading } };
}

/** Says that a write is accepted, and where its receipt is. */
function acceptedAs(answer: HttpAnswer, trace: string): HttpAnswer {
  return {
    ...answer,
    status: 202,
    headers: { ...answer.headers, ...traceHeaders(trace, receiptPath(trace)) },
  };
}

/** What the parameters of the request say about what must be there, with the one that says it. */
function askedBy({
  changeType,
  mustExist,
}: WriteCall): Pick<ChangeProposal, 'askedBy' | 'mustExist'> | undefined {
  if (mustExist) return { askedBy: 'createIfNotExists=false', mustExist };
  if (changeType === 'UPDATE') return { askedBy: 'createIfNotExists=false' };
  if (changeType === 'CREATE_ENTITY') return { askedBy: 'createIfEntityNotExists=true' };
  return undefined;
}
