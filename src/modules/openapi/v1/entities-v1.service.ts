import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import {
  readWriteHeaders,
  refuseConditions,
  waitHeader,
  type ChangeProposal,
  type ProposalOutcome,
} from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { isRecord, Model, refuseBadKey, type EntitySpec } from '../../../catalog/model/index.js';
import { RecordNamespace, toUrn } from '../../../catalog/restli/index.js';
import { mapInSlices } from '../../../catalog/schedule/index.js';
import { EntityReader, type StoredAspect, type StoredEntity, EntityNames } from '../../entities/index.js';
import { ProposalParser } from '../../ingest/index.js';
import { listText, textInParts } from '../../../routing/text-in-parts.js';
import { ok, type HttpAnswer, type ListAnswer } from '../answers/answer.js';
import type { WriteCall } from '../request/write-call.js';
import { EntityWriteService } from '../write/entity-write.service.js';
import type { WriteAnswers } from '../write/written.js';

const ITEM = ['entityType', 'entityUrn', 'entityKeyAspect', 'aspect'];
const NO_CONDITIONS = 'conditions go with single aspects';

/** The oldest version of the surface: what its clients still use of it. */
@Injectable()
export class EntitiesV1Service {
  constructor(
    private readonly model: Model,
    private readonly names: EntityNames,
    private readonly namespace: RecordNamespace,
    private readonly reader: EntityReader,
    private readonly parser: ProposalParser,
    private readonly writes: EntityWriteService,
  ) {}

  /** `{responses: {<urn>: {entityName, urn, aspects: {<name>: …}}}}`; what does not exist is left out. */
  async latest(
    principal: Principal,
    urns: readonly string[],
    aspects: readonly string[] | undefined,
  ): Promise<ListAnswer> {
    const [first] = urns;
    const entity = this.names.entity(toUrn(first ?? '', '/urns').type, '/urns');
    for (const urn of urns) this.names.urn(urn, entity, '/urns');
    const named = this.names.aspectsToRead(entity, aspects ?? [], '/aspectNames');
    const found = this.reader.portions(principal, urns, { aspects: named, key: true, urnsAt: '/urns' });
    return ok(await textInParts(listText('{"responses":{', this.members(found), '}}')));
  }

  /** 201 with the URNs written, or 200 with none when everything stood there already. */
  async write(principal: Principal, call: WriteCall): Promise<HttpAnswer> {
    refuseConditions(call.headers, NO_CONDITIONS);
    if (!Array.isArray(call.body))
      throw refuse('PROPOSAL_MALFORMED', 'the body must be an array of aspects', '');
    const proposals = await mapInSlices(call.body, (item: unknown, i) => this.item(item, call, `/${i}`));
    return this.writes.write(principal, call, proposals, URNS_WRITTEN);
  }

  /** The body is a list of proposals as the aspect API takes them; a value may be an object that names its record in `__type`. */
  async propose(principal: Principal, call: WriteCall): Promise<HttpAnswer> {
    refuseConditions(call.headers, 'put conditions into the headers of the proposals');
    if (!Array.isArray(call.body))
      throw refuse('PROPOSAL_MALFORMED', 'the body must be an array of proposals', '');
    const asked = readWriteHeaders(waitHeader(call.headers), '');
    const proposals = await mapInSlices(call.body, (item: unknown, i): ChangeProposal => {
      return { ...asked, ...this.proposal(item, `/${i}`) };
    });
    return this.writes.write(principal, call, proposals, {
      done: (outcomes) => ok(JSON.stringify([...new Set(outcomes.map(({ urn }) => urn))])),
      accepted: (given) => ok(JSON.stringify([...new Set(given.map(({ urn }) => urn.text))])),
    });
  }

  /** Softly: they are only hidden. */
  async delete(
    principal: Principal,
    given: readonly string[],
    softly: boolean,
    call: WriteCall,
  ): Promise<HttpAnswer> {
    refuseConditions(call.headers, NO_CONDITIONS);
    const proposals = given.map((text): ChangeProposal => {
      const entity = this.names.entity(toUrn(text, '/urns').type, '/urns');
      const urn = this.names.urn(text, entity, '/urns');
      const base = { entity, urn, systemMetadata: {}, pointer: '/urns', valuePointer: '' };
      if (!softly) return { ...base, aspect: entity.key, changeType: 'DELETE' };
      const aspect = this.names.aspect(entity, this.model.softDeletion?.name ?? '', '/urns');
      return { ...base, aspect, changeType: 'UPSERT', value: { [aspect.removedField ?? '']: true } };
    });
    return this.writes.write(principal, call, proposals, ROWS_REMOVED);
  }

  private proposal(item: unknown, pointer: string): ChangeProposal {
    const envelope = isRecord(item) ? item['aspect'] : undefined;
    if (!isRecord(item) || !isRecord(envelope) || !isRecord(envelope['value']))
      return this.parser.parse(item, pointer);
    const { value: tagged, ...rest } = envelope;
    const { __type: record, ...value } = tagged;
    const proposal = this.parser.parse({ ...item, aspect: { ...rest, json: value } }, pointer);
    const { name } = proposal.aspect;
    if (typeof record !== 'string' || this.model.findAspectByRecord(record)?.name !== name)
      throw refuse(
        'PROPOSAL_MALFORMED',
        `"__type" must name the record of the aspect ${name}`,
        `${pointer}/aspect/value/__type`,
      );
    return { ...proposal, valuePointer: '/aspect/value' };
  }

  private item(item: unknown, call: WriteCall, pointer: string): ChangeProposal {
    if (!isRecord(item)) throw refuse('PROPOSAL_MALFORMED', 'each item must be an object', pointer);
    const unknownName = Object.keys(item).find((name) => !ITEM.includes(name));
    if (unknownName !== undefined)
      throw refuse(
        'PROPOSAL_MALFORMED',
        `unknown property "${unknownName}" of an item, known are ${ITEM.join(', ')}`,
        pointer,
      );
    const { aspect: tagged, ...rest } = item;
    const { __type: record, ...value } = isRecord(tagged) ? tagged : {};
    if (typeof record !== 'string')
      throw refuse('PROPOSAL_MALFORMED', '"__type" must name a record', `${pointer}/aspect/__type`);
    const aspect = this.model.findAspectByRecord(record);
    if (aspect === undefined)
      throw refuse('ASPECT_UNKNOWN', `no aspect has the record "${record}"`, `${pointer}/aspect/__type`);
    const proposal = this.parser.parse(
      {
        ...this.named(rest, pointer),
        changeType: call.changeType,
        aspectName: aspect.name,
        aspect: { json: value },
      },
      pointer,
    );
    return {
      ...proposal,
      valuePointer: '/aspect',
      ...readWriteHeaders(waitHeader(call.headers), ''),
    };
  }

  /** An item whose key names its record in `__type`, with the URN of that key in its place. */
  private named(item: Record<string, unknown>, pointer: string): Record<string, unknown> {
    const { entityKeyAspect: tagged, ...rest } = item;
    if (!isRecord(tagged) || tagged['__type'] === undefined) return item;
    const { __type: record, ...key } = tagged;
    const entity = this.names.entity(String(rest['entityType']), `${pointer}/entityType`);
    const at = `${pointer}/entityKeyAspect`;
    if (typeof record !== 'string' || this.model.findAspectByRecord(record)?.name !== entity.key.name)
      throw refuse(
        'PROPOSAL_MALFORMED',
        `"__type" must name the record of ${entity.key.name}`,
        `${at}/__type`,
      );
    const urn = refuseBadKey(at, () => this.model.urnFromKey(entity, key));
    const given = rest['entityUrn'] ?? urn;
    if (given !== urn)
      throw refuse('PROPOSAL_MALFORMED', `the key names ${urn}, but entityUrn is another one`, at);
    return { ...rest, entityUrn: urn };
  }

  private async *members(
    portions: AsyncIterable<ReadonlyMap<string, StoredEntity>>,
  ): AsyncGenerator<string[]> {
    for await (const found of portions)
      yield [...found].map(([urn, stored]) => `${JSON.stringify(urn)}:${this.entityText(stored)}`);
  }

  private entityText({ urn, entityType, aspects }: StoredEntity): string {
    const entity = this.names.entity(entityType);
    const members = [...aspects.values()].map(
      (aspect) => `${JSON.stringify(aspect.name)}:${this.aspectText(entity, aspect)}`,
    );
    return `{"entityName":${JSON.stringify(entityType)},"urn":${JSON.stringify(urn)},"aspects":{${members.join(',')}}}`;
  }

  private aspectText(
    entity: EntitySpec,
    { name, value, version, created, systemMetadata }: StoredAspect,
  ): string {
    const record = entity.aspects.get(name)?.record ?? name;
    const typed = `{"__type":${JSON.stringify(this.namespace.of(record).split('.').at(-1))}${value === '{}' ? '}' : `,${value.slice(1)}`}`;
    const stamp = JSON.stringify({ time: created.time, actor: created.actor });
    return `{"name":${JSON.stringify(name)},"type":"VERSIONED","version":${version},"value":${typed},"created":${stamp},"systemMetadata":${systemMetadata}}`;
  }
}

const URNS_WRITTEN: WriteAnswers = {
  done: (outcomes) => {
    const urns = [...new Set(outcomes.filter(({ changed }) => changed).map(({ urn }) => urn))];
    return { status: urns.length > 0 ? 201 : 200, body: JSON.stringify(urns) };
  },
  accepted: (proposals) => ok(JSON.stringify([...new Set(proposals.map(({ urn }) => urn.text))])),
};

const ROWS_REMOVED: WriteAnswers = {
  done: (outcomes) => ok(JSON.stringify([rowsOf(outcomes)])),
  accepted: () => ok('[]'),
};

function rowsOf(outcomes: readonly ProposalOutcome[]): object {
  return {
    rowsRolledBack: outcomes
      .filter(({ changed }) => changed)
      .map(({ urn, entityType, aspect }) => ({ urn, entityName: entityType, aspectName: aspect })),
    rowsDeletedFromEntityDeletion: outcomes.reduce((sum, { removed }) => sum + (removed?.rows ?? 0), 0),
  };
}
