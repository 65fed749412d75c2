import { versionTag, type ChangeProposal, type ProposalOutcome } from '../../../catalog/change/index.js';
import { refuse, type CatalogError } from '../../../catalog/errors/index.js';
import type { AspectSpec } from '../../../catalog/model/index.js';
import { ok, type HttpAnswer } from '../answers/answer.js';
import { writtenMember, type EntityForm, type Member } from '../answers/entity-form.js';

/** What a write has made of one aspect, or will have made of it. */
interface Written {
  urn: string;
  entityType: string;
  /** Absent when there is none. */
  member?: Member;
}

/** How a write is answered. */
export interface WriteAnswers {
  /** When it is carried out. Throws a CatalogError when nothing was there to carry it out on. */
  done(outcomes: readonly ProposalOutcome[]): HttpAnswer;
  /** When it is accepted to be carried out later. */
  accepted(proposals: readonly ChangeProposal[], trace: string): HttpAnswer;
}

/**
 * One aspect as it stands now, in an entity also where the form of reads is a bare one. An event of a time series has no tag: there
 * is no condition that it could be sent with.
 */
export function aspectWritten(
  form: EntityForm,
  { kind }: Pick<AspectSpec, 'kind'>,
  systemMetadata: boolean,
): WriteAnswers {
  const tagged = (outcome: ProposalOutcome | undefined) =>
    kind === 'versioned' ? tagOf(outcome) : undefined;
  const show = (written: Written[]): string => entityTexts(form, written)[0] ?? '';
  return {
    done: (outcomes) => ok(show(writtenOf(outcomes, systemMetadata)), tagged(outcomes[0])),
    accepted: (proposals, trace) => ok(show(acceptedOf(proposals, systemMetadata, trace))),
  };
}

/** Each entity once, with the current values of the aspects written. */
export function entitiesWritten(form: EntityForm, systemMetadata: boolean): WriteAnswers {
  const show = (written: Written[]): HttpAnswer => ok(`[${entityTexts(form, written).join(',')}]`);
  return {
    done: (outcomes) => show(writtenOf(outcomes, systemMetadata)),
    accepted: (proposals, trace) => show(acceptedOf(proposals, systemMetadata, trace)),
  };
}

/** The same, by the names of the entities. */
export function entitiesWrittenByType(form: EntityForm, systemMetadata: boolean): WriteAnswers {
  const show = (written: Written[]): HttpAnswer => {
    const members = [...Map.groupBy(written, ({ entityType }) => entityType)].map(
      ([name, own]) => `${JSON.stringify(name)}:[${entityTexts(form, own).join(',')}]`,
    );
    return ok(`{${members.join(',')}}`);
  };
  return {
    done: (outcomes) => show(writtenOf(outcomes, systemMetadata)),
    accepted: (proposals, trace) => show(acceptedOf(proposals, systemMetadata, trace)),
  };
}

const NOTHING: HttpAnswer = { status: 200 };

/** Nothing to say, whatever was there. */
export const NO_ANSWER: WriteAnswers = { done: () => NOTHING, accepted: () => NOTHING };

/** Nothing to say, but there must be one at least of the aspects to delete. */
export const ASPECTS_DELETED: WriteAnswers = {
  done: (outcomes) => {
    const [first] = outcomes;
    if (first === undefined || outcomes.some(isRemoved)) return NOTHING;
    if (first.entityExists === false) throw noEntity(first);
    const names = outcomes.map(({ aspect }) => aspect).join(', ');
    const none = outcomes.length === 1 ? `no ${names}` : `none of ${names}`;
    throw refuse('ASPECT_NOT_FOUND', `${first.urn} has ${none} to delete`);
  },
  accepted: () => NOTHING,
};

export const ENTITY_DELETED: WriteAnswers = {
  done: ([outcome]) => {
    if (outcome && !isRemoved(outcome)) throw noEntity(outcome);
    return NOTHING;
  },
  accepted: () => NOTHING,
};

const noEntity = ({ urn }: ProposalOutcome): CatalogError =>
  refuse('ENTITY_NOT_FOUND', `there is no entity ${urn} to delete`);

function isRemoved({ removed }: ProposalOutcome): boolean {
  return removed === undefined || removed.rows + removed.events > 0;
}

function tagOf(outcome: ProposalOutcome | undefined): string | undefined {
  const writtenAt = outcome?.systemMetadata?.aspectModified?.time;
  return outcome && outcome.version > 0 && writtenAt !== undefined
    ? versionTag(outcome.version, writtenAt)
    : undefined;
}

function writtenOf(outcomes: readonly ProposalOutcome[], systemMetadata: boolean): Written[] {
  return outcomes.map((outcome) => {
    const member = writtenMember(outcome, systemMetadata);
    return { urn: outcome.urn, entityType: outcome.entityType, ...(member && { member }) };
  });
}

/**
 * What a patch will make of an aspect cannot be known yet: only that it is about that aspect.
 * @param systemMetadata whether the trace id, by which the write can be followed, comes with each aspect
 */
function acceptedOf(proposals: readonly ChangeProposal[], systemMetadata: boolean, trace: string): Written[] {
  const traced = { systemMetadata: { properties: { telemetryTraceId: trace } } };
  return proposals.map(({ urn, entity, aspect, changeType, value }) => {
    const member = { ...(changeType !== 'PATCH' && { value }), ...(systemMetadata && traced) };
    const written = { urn: urn.text, entityType: entity.name };
    return aspect.secret
      ? written
      : { ...written, member: { name: aspect.name, json: JSON.stringify(member) } };
  });
}

function entityTexts(form: EntityForm, written: readonly Written[]): string[] {
  const entities = new Map<string, Map<string, Member>>();
  for (const { urn, member } of written) {
    let aspects = entities.get(urn);
    if (aspects === undefined) entities.set(urn, (aspects = new Map<string, Member>()));
    if (member) aspects.set(member.name, member);
  }
  return [...entities].map(([urn, aspects]) => form.entity(urn, [...aspects.values()]));
}
