import type { AuditStamp, ChangeProposal, ProposalOutcome } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import type { NewEntity } from '../../../catalog/extension/index.js';
import { isLarge, jsonInSteps, LARGE_TEXT } from '../../../catalog/json/index.js';
import { sameJson, sameJsonInSteps } from '../../../catalog/json/same-json.js';
import type { Model } from '../../../catalog/model/index.js';
import type { TimeSlices } from '../../../catalog/schedule/index.js';
import { belowValue } from './decide-step.js';
import { parseAhead, valueOf, type AspectVersion, type Value } from './head.js';
import { entryOf, outcomeOf, type ProposalContext, type VersionedContext } from './proposal-context.js';
import { givenAspects } from './submission.js';
import { nextSystemMetadata, observationOf } from './system-metadata.js';
import { shown } from './transaction-view.js';
import type { WriteExtensions } from './write-extensions.js';

/** Step 3 of {@link ProposalProcessor}: a new version of the aspect. The first one of an entity creates the entity. */
export class StoreStep {
  constructor(
    private readonly model: Model,
    private readonly extensions: Pick<WriteExtensions, 'defaults'>,
    /** The largest aspect, characters of JSON. */
    private readonly maxAspect: number,
  ) {}

  /** Puts a new version into the unit of work, unless the value is the one that is stored. */
  async store(context: VersionedContext, next: Value): Promise<ProposalOutcome> {
    const { work, proposal, head, codec, stored, current, stamp, view, slices } = context;
    const kept = codec ? await codec.store(next, stored && valueOf(stored), view) : next;
    const text = isLarge(kept) ? await slices.run(jsonInSteps(kept)) : JSON.stringify(kept);
    if (proposal.changeType === 'PATCH') belowValue(proposal, () => context.budget.result(text.length));
    this.refuseGrowth(proposal, text.length, stored?.text.length ?? 0);
    if (current && stored && (stored.text === text || (await same(stored, kept, slices)))) {
      if (proposal.changeType === 'RESTATE')
        work.logChange(entryOf(context, current.version, current.version));
      const observation = observationOf(proposal.systemMetadata, stored, stamp);
      if (observation === undefined) return outcomeOf(proposal, current, false);
      work.observe(head, proposal.aspect, { ...stored, observation });
      return outcomeOf(proposal, { ...current, observation }, false);
    }
    if (!head.live) await this.create(context);
    const version = (current?.version ?? head.deleted.get(proposal.aspect.name) ?? 0) + 1;
    const systemMetadata = nextSystemMetadata(proposal.systemMetadata, current, stamp, version);
    const written = newVersion(kept, text, { version, systemMetadata, stamp });
    work.put(head, proposal.aspect, written, entryOf(context, current?.version ?? 0, version));
    return outcomeOf(proposal, codec ? await shown(codec, written, view) : written, true);
  }

  /** A body is limited when it is read; changes of a stored value can add up to more. */
  private refuseGrowth({ urn, aspect, pointer }: ChangeProposal, size: number, before: number): void {
    if (size <= this.maxAspect || size <= before) return;
    const message = `${aspect.name} of ${urn.text} may have ${this.maxAspect} characters, it would have ${size}`;
    throw refuse('ASPECT_TOO_LARGE', message, pointer);
  }

  /** Creates the entity: its key aspect, and the default aspects that the submission does not bring itself. */
  async create(context: ProposalContext): Promise<void> {
    const { work, submission, proposal, head, stamp } = context;
    const { entity, urn } = proposal;
    const { key } = this.model.keyFromUrn(urn);
    work.create(head, stamp.time, stamp.actor);
    if (proposal.changeType === 'CREATE_ENTITY') context.made.add(urn.text);
    const given = givenAspects(submission, urn.text);
    const systemMetadata = nextSystemMetadata(proposal.systemMetadata, undefined, stamp);
    const add = (name: string, value: Value | undefined): void => {
      const aspect = entity.aspects.get(name);
      if (aspect === undefined || value === undefined || given.has(name)) return;
      const written = newVersion(value, JSON.stringify(value), { version: 1, systemMetadata, stamp });
      const made = { ...context, proposal: { ...proposal, aspect, changeType: 'CREATE' as const } };
      work.put(head, aspect, written, entryOf(made, 0, 1));
    };
    add(entity.key.name, key);
    const created: NewEntity = {
      entity,
      urn,
      key,
      aspectOf: async (of, aspect) => {
        const coming = of === urn.text ? given.get(aspect) : undefined;
        if (coming?.changeType === 'UPSERT') return coming.value as Value;
        return work.lookUp(of, aspect);
      },
    };
    for (const rule of this.extensions.defaults()) {
      const wanted = entity.has(rule.aspect) && !given.has(rule.aspect);
      if (wanted) add(rule.aspect, await rule.valueFor(created));
    }
  }
}

function newVersion(
  parsed: Value,
  text: string,
  { stamp, ...rest }: Pick<AspectVersion, 'version' | 'systemMetadata'> & { stamp: AuditStamp },
): AspectVersion {
  return { text, parsed, ...rest, createdAt: stamp.time, createdBy: stamp.actor };
}

/** Whether a value equals the stored one. */
async function same(stored: AspectVersion, value: Value, slices: TimeSlices): Promise<boolean> {
  await parseAhead(stored, slices);
  await slices.over();
  if (stored.text.length < LARGE_TEXT) return sameJson(valueOf(stored), value);
  return slices.run(sameJsonInSteps(valueOf(stored), value));
}
