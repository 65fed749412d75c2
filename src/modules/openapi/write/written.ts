import { versionTag, type ProposalOutcome } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { ok, type HttpAnswer } from '../answers/answer.js';
import { writtenMember, type EntityForm, type Member } from '../answers/entity-form.js';

/** The answer to a write of one aspect: the aspect as it stands now, also where the form of reads is a bare one. */
export function aspectWritten(form: EntityForm, systemMetadata: boolean) {
  return ([outcome]: readonly ProposalOutcome[]): HttpAnswer => {
    if (outcome === undefined) throw new Error('a write of one aspect has one outcome');
    const member = writtenMember(outcome, systemMetadata);
    const writtenAt = outcome.systemMetadata?.aspectModified?.time;
    const tag =
      outcome.version > 0 && writtenAt !== undefined ? versionTag(outcome.version, writtenAt) : undefined;
    return ok(form.entity(outcome.urn, member ? [member] : []), tag);
  };
}

/** The answer to a write of many: each entity once, with what stands there now of the aspects written. */
export function entitiesWritten(form: EntityForm, systemMetadata: boolean) {
  return (outcomes: readonly ProposalOutcome[]): HttpAnswer =>
    ok(`[${entityTexts(form, outcomes, systemMetadata).join(',')}]`);
}

/** The same, by the names of the entities. */
export function entitiesWrittenByType(form: EntityForm, systemMetadata: boolean) {
  return (outcomes: readonly ProposalOutcome[]): HttpAnswer => {
    const types = Map.groupBy(outcomes, (outcome) => outcome.entityType);
    const members = [...types].map(
      ([name, own]) => `${JSON.stringify(name)}:[${entityTexts(form, own, systemMetadata).join(',')}]`,
    );
    return ok(`{${members.join(',')}}`);
  };
}

function entityTexts(
  form: EntityForm,
  outcomes: readonly ProposalOutcome[],
  systemMetadata: boolean,
): string[] {
  const entities = new Map<string, Map<string, Member>>();
  for (const outcome of outcomes) {
    let aspects = entities.get(outcome.urn);
    if (aspects === undefined) entities.set(outcome.urn, (aspects = new Map<string, Member>()));
    const member = writtenMember(outcome, systemMetadata);
    if (member) aspects.set(member.name, member);
  }
  return [...entities].map(([urn, aspects]) => form.entity(urn, [...aspects.values()]));
}

/** Nothing to answer, but an aspect that is not there cannot be deleted. */
export function aspectDeleted(outcomes: readonly ProposalOutcome[]): HttpAnswer {
  const [outcome] = outcomes;
  if (outcome && !isRemoved(outcome))
    throw refuse('ASPECT_NOT_FOUND', `${outcome.urn} has no ${outcome.aspect} to delete`);
  return nothing();
}

export function entityDeleted(outcomes: readonly ProposalOutcome[]): HttpAnswer {
  const [outcome] = outcomes;
  if (outcome && !isRemoved(outcome))
    throw refuse('ENTITY_NOT_FOUND', `there is no entity ${outcome.urn} to delete`);
  return nothing();
}

export function nothing(): HttpAnswer {
  return { status: 200 };
}

function isRemoved({ removed }: ProposalOutcome): boolean {
  return removed === undefined || removed.rows + removed.events > 0;
}
