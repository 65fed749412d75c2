import { Injectable } from '@nestjs/common';
import { authorizeWhole, type Principal } from '../../../catalog/auth/index.js';
import type { ChangeProposal } from '../../../catalog/change/index.js';
import { CatalogError, refuse } from '../../../catalog/errors/index.js';
import { readJson } from '../../../catalog/json/index.js';
import { Model } from '../../../catalog/model/index.js';
import { parseUrn, type Urn } from '../../../catalog/urn/index.js';
import {
  AspectValueRepository,
  ReadFilters,
  ReferenceRepository,
  type Reference,
} from '../../entities/index.js';
import { IngestService } from '../../ingest/index.js';
import { deletionOf, ifVersion, upsertOf } from '../proposals.js';
import { withoutReference } from './without-reference.js';

/** References looked at, and changed in one transaction, at a time. */
const PAGE = 200;
/** A transaction takes fewer when the aspects are large, so that memory stays bounded. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
/** References named in the answer. */
const NAMED = 100;
/** How often an aspect that others are writing at the same moment is tried. */
const ATTEMPTS = 5;

/** A reference as clients know it; they print the members in this order. */
interface RelatedAspect {
  relationshipType: string;
  urn: string;
  aspect: string;
}

interface ReferenceReport {
  /** How many references there were. */
  total: number;
  /** The first of them. */
  relatedAspects: RelatedAspect[];
  /** References that stay, because what holds them cannot be without them or a rule refuses the change. */
  left?: Array<RelatedAspect & { reason: string }>;
}

type Step = { proposal: ChangeProposal; size: number } | { reason: string } | undefined;

/** Takes the references to an entity out of all aspects that hold one. The entity itself may be gone already. */
@Injectable()
export class ReferencesService {
  constructor(
    private readonly model: Model,
    private readonly repository: ReferenceRepository,
    private readonly values: AspectValueRepository,
    private readonly filters: ReadFilters,
    private readonly ingest: IngestService,
  ) {}

  /**
   * @param dryRun only finds them.
   * @throws CatalogError SERVICE_UNAVAILABLE when some of them could not be taken out now
   */
  async remove(principal: Principal, target: Urn, dryRun: boolean): Promise<ReferenceReport> {
    authorizeWhole(principal, dryRun ? 'read' : 'delete');
    const total = await this.repository.count(target.text);
    const relatedAspects = (await this.repository.page(target.text, NAMED)).map(relatedAspect);
    if (dryRun) return { total, relatedAspects };
    const left: NonNullable<ReferenceReport['left']> = [];
    let last: Reference | undefined;
    for (;;) {
      const page = await this.repository.page(target.text, PAGE, last);
      for (const { reference, reason } of await this.removeAll(principal, target, page)) {
        if (left.length < NAMED) left.push({ ...relatedAspect(reference), reason });
      }
      last = page.at(-1);
      if (page.length < PAGE) break;
    }
    return { total, relatedAspects, ...(left.length > 0 && { left }) };
  }

  /** Answers the references that stay. */
  private async removeAll(
    principal: Principal,
    target: Urn,
    page: readonly Reference[],
  ): Promise<Array<{ reference: Reference; reason: string }>> {
    const left: Array<{ reference: Reference; reason: string }> = [];
    // One aspect may hold several relationships to the target; all of them go at once.
    const aspects = new Map(
      page.map((reference) => [`${reference.source_id}\n${reference.aspect}`, reference]),
    );
    let batch: Reference[] = [];
    let proposals: ChangeProposal[] = [];
    let size = 0;
    const submit = async (): Promise<void> => {
      left.push(...(await this.submit(principal, target, batch, proposals)));
      [batch, proposals, size] = [[], [], 0];
    };
    for (const reference of aspects.values()) {
      const step = await this.step(target, reference);
      if (step === undefined) continue;
      if ('reason' in step) {
        left.push({ reference, reason: step.reason });
        continue;
      }
      batch.push(reference);
      proposals.push(step.proposal);
      size += step.size;
      if (size > MAX_CHARACTERS) await submit();
    }
    await submit();
    return left;
  }

  /** All in one transaction; when one is refused, one by one, so that it blocks no other. */
  private async submit(
    principal: Principal,
    target: Urn,
    batch: readonly Reference[],
    proposals: readonly ChangeProposal[],
  ): Promise<Array<{ reference: Reference; reason: string }>> {
    try {
      await this.ingest.submit(principal, proposals);
      return [];
    } catch (error) {
      if (!(error instanceof CatalogError) || error.kind === 'forbidden' || error.kind === 'unavailable')
        throw error;
    }
    const left: Array<{ reference: Reference; reason: string }> = [];
    for (const reference of batch) {
      const reason = await this.removeOne(principal, target, reference);
      if (reason !== undefined) left.push({ reference, reason });
    }
    return left;
  }

  private async removeOne(
    principal: Principal,
    target: Urn,
    reference: Reference,
  ): Promise<string | undefined> {
    for (let attempt = 1; ; attempt++) {
      const step = await this.step(target, reference);
      if (step === undefined || 'reason' in step) return step?.reason;
      try {
        await this.ingest.submit(principal, [step.proposal]);
        return undefined;
      } catch (error) {
        // What is unavailable now says nothing of the reference: it is taken out later.
        if (!(error instanceof CatalogError) || error.kind === 'unavailable') throw error;
        if (error.kind !== 'precondition') return error.message;
        if (attempt === ATTEMPTS) throw busy(reference);
      }
    }
  }

  /** What takes the reference out of the aspect as it stands now; nothing when it is gone already. */
  private async step(target: Urn, { source_id, urn: source, aspect: name }: Reference): Promise<Step> {
    const urn = parseUrn(source);
    const entity = this.model.findEntity(urn.type);
    const aspect = entity?.aspects.get(name);
    if (entity === undefined || aspect === undefined) return { reason: `the model no longer has ${name}` };
    const stored = await this.values.latest(source_id, name);
    if (stored === undefined) return undefined;
    const seen = { name, ...stored, systemMetadata: '{}', created: { time: 0, actor: '' } };
    const shown = await this.filters.shown(source, seen);
    if (shown === undefined) return { reason: `${name} cannot be seen` };
    const value = readJson(shown.value) as Record<string, unknown>;
    const rest = withoutReference(aspect, value, target.text, this.model.definitions);
    if ('stuck' in rest) return { reason: rest.stuck };
    const at = { entity, urn, aspect };
    const proposal =
      rest.keep === undefined
        ? deletionOf(at, ifVersion(stored.version))
        : upsertOf(at, rest.keep, ifVersion(stored.version));
    return { proposal, size: stored.value.length };
  }
}

/** Others write it all the time: that is no reason to leave the reference where it is. */
function busy({ aspect, urn }: Reference): CatalogError {
  return refuse(
    'SERVICE_UNAVAILABLE',
    `others were writing ${aspect} of ${urn} all the time: try again soon`,
  );
}

function relatedAspect({ type, urn, aspect }: Reference): RelatedAspect {
  return { relationshipType: type, urn, aspect };
}
