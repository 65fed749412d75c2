import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import type { ChangeProposal } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { IndexBarrier } from '../../../catalog/search/index.js';
import { IngestService } from '../../ingest/index.js';
import type { HttpAnswer } from '../answers/answer.js';
import { IdempotencyService } from '../idempotency/idempotency.service.js';
import { AcceptedWrites } from '../receipts/accepted-writes.service.js';
import type { WriteCall } from '../request/write-call.js';
import { SYNC_INDEX_HEADER } from '../request/write-headers.js';
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
  ) {}

  async write(
    principal: Principal,
    call: WriteCall,
    given: readonly ChangeProposal[],
    answers: WriteAnswers,
  ): Promise<HttpAnswer> {
    const proposals = call.mustExist ? given.map((proposal) => ({ ...proposal, mustExist: true })) : given;
    const searchable = wantsIndex(proposals);
    const answer = await this.idempotency.once(principal, call, async (remember) => {
      // Nothing to carry out later is done already.
      if (call.async && proposals.length > 0)
        return this.accepted.accept(principal, proposals, answers.accepted(proposals), remember);
      if (remember === undefined) return answers.done(await this.ingest.submit(principal, proposals));
      let first: HttpAnswer | undefined;
      const outcomes = await this.ingest.submit(principal, proposals, {
        settle: async (tx, done) => {
          first = answers.done(done);
          await remember(tx, first);
        },
      });
      return first ?? answers.done(outcomes);
    });
    if (searchable && !call.async) await this.barrier.reached(SEARCHABLE_MS);
    return answer;
  }
}

/** Whether any of the proposals asks to be found by searches before it is answered. */
function wantsIndex(proposals: readonly ChangeProposal[]): boolean {
  return proposals.some(({ headers, pointer }) => {
    const wish = headers[SYNC_INDEX_HEADER];
    if (wish === undefined || /^false$/i.test(wish)) return false;
    if (/^true$/i.test(wish)) return true;
    const message = `X-DataHub-Sync-Index-Update must be true or false, not "${wish}"`;
    throw refuse('PARAMETER_INVALID', message, `${pointer}/headers/X-DataHub-Sync-Index-Update`);
  });
}
