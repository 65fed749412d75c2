import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import type { ChangeProposal, ProposalOutcome } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { IndexBarrier } from '../../../catalog/search/index.js';
import { IngestService } from '../../ingest/index.js';
import type { HttpAnswer } from '../answers/answer.js';
import type { WriteCall } from '../request/write-call.js';
import { SYNC_INDEX_HEADER } from '../request/write-headers.js';

/** How long a write waits until it can be found, when it was asked to. */
const SEARCHABLE_MS = 15_000;

export interface WriteRequest {
  proposals: readonly ChangeProposal[];
  /** What to answer when they are carried out. Throws a CatalogError when nothing was there to carry them out on. */
  answer(outcomes: readonly ProposalOutcome[]): HttpAnswer;
}

/** Carries out the writes of the entity endpoints. */
@Injectable()
export class EntityWriteService {
  constructor(
    private readonly ingest: IngestService,
    private readonly barrier: IndexBarrier,
  ) {}

  async write(
    principal: Principal,
    _call: WriteCall,
    { proposals, answer }: WriteRequest,
  ): Promise<HttpAnswer> {
    const searchable = wantsIndex(proposals);
    const outcomes = await this.ingest.submit(principal, proposals);
    if (searchable) await this.barrier.reached(SEARCHABLE_MS);
    return answer(outcomes);
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
