import { Inject, Injectable } from '@nestjs/common';
import {
  readWriteHeaders,
  withHeadersOf,
  type ChangeProposal,
  type ChangeType,
} from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { jsonPointer } from '../../../catalog/json/index.js';
import { isRecord, type AspectSpec, type EntitySpec } from '../../../catalog/model/index.js';
import { mapInSlices } from '../../../catalog/schedule/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';
import { parseSystemMetadata, refuseDuplicateAspect } from '../../ingest/index.js';
import { EntityNames, type AspectTarget } from '../../entities/index.js';

/** Members of an aspect object in a body. What reads answer beside the value may be sent back. */
const MEMBERS = ['value', 'systemMetadata', 'headers', 'auditStamp'];

/** How the items of a body are written down: aspects beside the URN (version 3) or below `aspects` (version 2). */
type ItemShape = 'v2' | 'v3';

/** Reads the bodies of writes into proposals. Whether the values are valid is left to the write. */
@Injectable()
export class ItemParser {
  constructor(
    private readonly names: EntityNames,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'compatibility'>,
  ) {}

  /** `{value, systemMetadata?, headers?}`. @param headers of the request; those in the body win. */
  aspect(
    target: AspectTarget,
    body: unknown,
    changeType: ChangeType,
    headers: Readonly<Record<string, string>> = {},
    pointer = '',
  ): ChangeProposal {
    refuseTimeseries(target, changeType, pointer);
    if (!isRecord(body))
      throw refuse('PROPOSAL_MALFORMED', 'an aspect must be an object with "value"', pointer);
    const unknownName = Object.keys(body).find((name) => !MEMBERS.includes(name));
    if (unknownName !== undefined) {
      const message = `unknown property "${unknownName}", known are ${MEMBERS.join(', ')}: an aspect is sent as {"value": …}`;
      throw refuse('PROPOSAL_MALFORMED', message, pointer + jsonPointer([unknownName]));
    }
    const value = body['value'];
    if (value === undefined || value === null)
      throw refuse('PROPOSAL_MALFORMED', 'value is missing', `${pointer}/value`);
    return {
      ...target,
      ...this.kindOf(target, changeType),
      value,
      systemMetadata: parseSystemMetadata(body['systemMetadata'], `${pointer}/systemMetadata`),
      ...readWriteHeaders(withHeadersOf(body['headers'], headers, pointer), pointer),
      pointer,
      valuePointer: '/value',
    };
  }

  /** The aspect itself, or a patch: the whole body is the value. */
  bare(
    target: AspectTarget,
    body: unknown,
    changeType: ChangeType,
    headers: Readonly<Record<string, string>> = {},
  ): ChangeProposal {
    refuseTimeseries(target, changeType, '');
    if (body === undefined) throw refuse('PROPOSAL_MALFORMED', 'the body is missing', '');
    return {
      ...target,
      ...this.kindOf(target, changeType),
      value: body,
      systemMetadata: {},
      ...readWriteHeaders(headers, ''),
      pointer: '',
      valuePointer: '',
    };
  }

  /** There is nothing of an event that an update could find: the entity is what must exist. */
  private kindOf(
    { aspect }: AspectTarget,
    changeType: ChangeType,
  ): Pick<ChangeProposal, 'changeType' | 'mustExist'> {
    if (changeType !== 'UPDATE') return { changeType };
    if (this.settings.compatibility.createIfNotExistsWrites) return { changeType: 'UPSERT' };
    return aspect.kind === 'timeseries' ? { changeType: 'UPSERT', mustExist: true } : { changeType };
  }

  /** A list of items about entities of one kind, as one list of proposals in the order of the body. */
  async items(
    entity: EntitySpec,
    body: unknown,
    changeType: ChangeType,
    shape: ItemShape,
    { headers = {}, pointer = '' }: { headers?: Readonly<Record<string, string>>; pointer?: string } = {},
  ): Promise<ChangeProposal[]> {
    if (!Array.isArray(body))
      throw refuse('PROPOSAL_MALFORMED', 'the body must be an array of entities', pointer);
    const parsed = await mapInSlices(body, (item: unknown, i) =>
      this.item(entity, item, changeType, shape, headers, `${pointer}/${i}`),
    );
    return parsed.flat();
  }

  /** `{<entity>: [items]}`. */
  async byEntity(
    body: unknown,
    changeType: ChangeType,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ChangeProposal[]> {
    const proposals: ChangeProposal[][] = [];
    for (const [name, items] of entriesOf(body)) {
      const pointer = jsonPointer([name]);
      const entity = this.names.entity(name, pointer);
      proposals.push(await this.items(entity, items, changeType, 'v3', { headers, pointer }));
    }
    return proposals.flat();
  }

  private item(
    entity: EntitySpec,
    item: unknown,
    changeType: ChangeType,
    shape: ItemShape,
    headers: Readonly<Record<string, string>>,
    pointer: string,
  ): ChangeProposal[] {
    if (!isRecord(item))
      throw refuse('PROPOSAL_MALFORMED', 'each item must be an object with "urn"', pointer);
    const { urn: text, ...rest } = item;
    if (text === undefined) throw refuse('PROPOSAL_MALFORMED', 'urn is missing', `${pointer}/urn`);
    const urn = this.names.urn(text, entity, `${pointer}/urn`);
    const [aspects, at] = shape === 'v3' ? [rest, pointer] : [aspectsOf(rest, pointer), `${pointer}/aspects`];
    const named = new Map<AspectSpec, string>();
    const proposals = Object.entries(aspects).flatMap(([name, given]) => {
      if (given === null) return [];
      const place = at + jsonPointer([name]);
      const aspect = this.names.aspect(entity, name, place);
      refuseDuplicateAspect(named, aspect, name, place);
      return [this.aspect({ entity, urn, aspect }, given, changeType, headers, place)];
    });
    if (proposals.length === 0)
      throw refuse('PROPOSAL_MALFORMED', 'the item names no aspect to write', pointer);
    return proposals;
  }
}

/** The members of a body that is an object. */
export function entriesOf(body: unknown): Array<[string, unknown]> {
  if (isRecord(body)) return Object.entries(body);
  throw refuse('PROPOSAL_MALFORMED', 'the body must be an object that maps entity names to arrays', '');
}

function aspectsOf(rest: Record<string, unknown>, pointer: string): Record<string, unknown> {
  const unknownName = Object.keys(rest).find((name) => name !== 'aspects');
  if (unknownName !== undefined) {
    const message = `unknown property "${unknownName}" of an item, known are urn, aspects`;
    throw refuse('PROPOSAL_MALFORMED', message, pointer + jsonPointer([unknownName]));
  }
  const { aspects } = rest;
  if (aspects === undefined)
    throw refuse('PROPOSAL_MALFORMED', 'Missing `aspects` field', `${pointer}/aspects`);
  if (!isRecord(aspects))
    throw refuse('PROPOSAL_MALFORMED', 'aspects must be an object', `${pointer}/aspects`);
  return aspects;
}

function refuseTimeseries({ aspect }: AspectTarget, changeType: ChangeType, pointer: string): void {
  if (aspect.kind !== 'timeseries' || ['UPSERT', 'UPDATE', 'DELETE'].includes(changeType)) return;
  const message = `"${aspect.name}" is a time-series aspect: its events can only be added`;
  throw refuse('ASPECT_KIND_WRONG', message, pointer === '' ? '/aspect' : pointer);
}
