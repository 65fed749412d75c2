import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import {
  proposalHeaders,
  readWriteHeaders,
  refuseConditions,
  type ChangeProposal,
  type ChangeType,
  type EventSelection,
} from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { readJson } from '../../../catalog/json/index.js';
import type { AspectSpec, EntitySpec } from '../../../catalog/model/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';
import type { Urn } from '../../../catalog/urn/index.js';
import { EntityReader, EntityNames, type AspectTarget } from '../../entities/index.js';
import type { HttpAnswer } from '../answers/answer.js';
import type { EntityForm } from '../answers/entity-form.js';
import { EntityReadService } from '../read/entity-read.service.js';
import type { WriteCall } from '../request/write-call.js';
import { EntityWriteService } from './entity-write.service.js';
import { ItemParser } from './item-parser.js';
import { ASPECTS_DELETED, aspectWritten, ENTITY_DELETED, NO_ANSWER } from './written.js';

export interface AspectPath {
  entity: string;
  urn: string;
  aspect: string;
}

/** Writes of one entity, or one of its aspects, as their paths name them. */
@Injectable()
export class AspectWritesService {
  constructor(
    private readonly names: EntityNames,
    private readonly parser: ItemParser,
    private readonly reading: EntityReadService,
    private readonly reader: EntityReader,
    private readonly writes: EntityWriteService,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'compatibility'>,
  ) {}

  /** Replaces an aspect; in version 2 the body is the aspect itself. */
  async write(
    principal: Principal,
    form: EntityForm,
    path: AspectPath,
    call: WriteCall,
  ): Promise<HttpAnswer> {
    const target = this.names.target(path.entity, path.urn, path.aspect);
    const headers = proposalHeaders(call.headers);
    const proposal =
      form.version === 'v2'
        ? this.parser.bare(target, call.body, call.changeType, headers)
        : this.parser.aspect(target, call.body, call.changeType, headers);
    return this.submit(principal, form, proposal, call);
  }

  /** Applies a JSON patch to an aspect, one that is not there yet included. */
  async patch(
    principal: Principal,
    form: EntityForm,
    path: AspectPath,
    call: WriteCall,
  ): Promise<HttpAnswer> {
    const target = this.names.target(path.entity, path.urn, path.aspect);
    const proposal = this.parser.bare(target, call.body, 'PATCH', proposalHeaders(call.headers));
    return this.submit(principal, form, proposal, call);
  }

  /** Of a time-series aspect the newest event goes, of any other the value with its history. */
  async deleteAspect(principal: Principal, path: AspectPath, call: WriteCall): Promise<HttpAnswer> {
    const target = this.names.target(path.entity, path.urn, path.aspect);
    const { deletesOfAbsent } = this.settings.compatibility;
    let events: EventSelection | undefined;
    if (target.aspect.kind === 'timeseries') {
      events = await this.newest(principal, target);
      if (events === undefined) return { status: 200 };
    }
    const proposal = deletion(target, {
      ...readWriteHeaders(proposalHeaders(call.headers), ''),
      ...(events && { events }),
    });
    const strict = target.aspect === target.entity.key ? ENTITY_DELETED : ASPECTS_DELETED;
    return this.writes.write(principal, call, [proposal], deletesOfAbsent ? NO_ANSWER : strict);
  }

  /** @param given names of aspects; none: the entity itself. */
  async deleteEntity(
    principal: Principal,
    path: { entity: string; urn: string },
    given: readonly string[],
    clear: boolean,
    call: WriteCall,
  ): Promise<HttpAnswer> {
    const { deletesOfAbsent } = this.settings.compatibility;
    const { entity, urn } = this.names.inPath(path.entity, path.urn);
    const names = this.names.aspects(entity, given);
    if (clear ? names !== undefined : names === undefined || names.includes(entity.key.name)) {
      if (clear) throw refuse('PARAMETER_INVALID', 'either aspects or clear can be given', '/clear');
      const ifSequence = readSequence(call);
      const proposal = deletion({ entity, urn, aspect: entity.key }, ifSequence);
      return this.writes.write(principal, call, [proposal], deletesOfAbsent ? NO_ANSWER : ENTITY_DELETED);
    }
    refuseConditions(call.headers, 'several aspects are deleted');
    // The entity must be there, and of the aspects that are named one at least.
    if (!deletesOfAbsent) await this.reader.storedOne(principal, urn.text, { aspects: [] });
    const wanted = (aspect: AspectSpec): boolean =>
      names ? names.includes(aspect.name) : aspect !== entity.key;
    const proposals = [...entity.aspects.values()]
      .filter(wanted)
      .map((aspect) => deletion({ entity, urn, aspect }));
    const strict = names !== undefined && !deletesOfAbsent;
    return this.writes.write(principal, call, proposals, strict ? ASPECTS_DELETED : NO_ANSWER);
  }

  private submit(
    principal: Principal,
    form: EntityForm,
    proposal: ChangeProposal,
    call: WriteCall,
  ): Promise<HttpAnswer> {
    return this.writes.write(
      principal,
      call,
      [proposal],
      aspectWritten(form, proposal.aspect, call.systemMetadata),
    );
  }

  /** The time of the newest event; undefined where there is none and that is no fault. */
  private async newest(
    principal: Principal,
    { urn, aspect }: AspectTarget,
  ): Promise<EventSelection | undefined> {
    const event = this.settings.compatibility.deletesOfAbsent
      ? await this.reading.anyNewestEvent(principal, urn.text, aspect)
      : await this.reading.newestEvent(principal, urn.text, aspect);
    if (event === undefined) return undefined;
    const { timestampMillis } = readJson(event.value) as { timestampMillis: number };
    return { from: timestampMillis, to: timestampMillis };
  }
}

function deletion(
  target: { entity: EntitySpec; urn: Urn; aspect: AspectSpec },
  more: Partial<ChangeProposal> = {},
): ChangeProposal {
  const changeType: ChangeType = 'DELETE';
  return { ...target, changeType, systemMetadata: {}, pointer: '', valuePointer: '', ...more };
}

/** The tag of an entity says at which sequence it was read. A tag of anything else can never match. */
function readSequence({ headers }: WriteCall): { ifSequence?: number } {
  const { 'if-match': match, ...others } = headers;
  refuseConditions(others, 'only If-Match goes with the deletion of an entity');
  if (match === undefined || match === '*') return {};
  const [, tag] = /^"([\x21\x23-\x7e\x80-\xff]*)"$/.exec(String(match).trim()) ?? [];
  if (tag === undefined) {
    const message = `If-Match must be * or the ETag of an earlier read of the entity, not "${String(match)}"`;
    throw refuse('PARAMETER_INVALID', message, '/headers/If-Match');
  }
  const [, sequence] = /^e(\d{1,15})$/.exec(tag) ?? [];
  return { ifSequence: sequence === undefined ? -1 : Number(sequence) };
}
