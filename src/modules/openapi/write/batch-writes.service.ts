import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import { refuseConditions, waitHeader } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { jsonPointer } from '../../../catalog/json/index.js';
import { isRecord, type EntitySpec } from '../../../catalog/model/index.js';
import { turn } from '../../../catalog/schedule/index.js';
import { ok, type HttpAnswer, type ListAnswer } from '../answers/answer.js';
import { V2, V3, type EntityForm } from '../answers/entity-form.js';
import { listText, textInParts } from '../../../routing/text-in-parts.js';
import { EntityReadService, type Wanted } from '../read/entity-read.service.js';
import { EntityNames } from '../../entities/index.js';
import type { WriteCall } from '../request/write-call.js';
import { EntityWriteService } from './entity-write.service.js';
import { entriesOf, ItemParser } from './item-parser.js';
import { entitiesWritten, entitiesWrittenByType } from './written.js';

const CONDITIONS_HINT = 'put conditions into the headers of the items';
/** The most entities of one batch of reads. */
const MAX_READS = 10_000;

/** Writes and reads of many entities at once. Of a batch of writes all are carried out or none. */
@Injectable()
export class BatchWritesService {
  constructor(
    private readonly names: EntityNames,
    private readonly parser: ItemParser,
    private readonly reading: EntityReadService,
    private readonly writes: EntityWriteService,
  ) {}

  /** A list of entities of one kind. */
  async entities(
    principal: Principal,
    form: EntityForm,
    entityName: string,
    call: WriteCall,
  ): Promise<HttpAnswer> {
    refuseConditions(call.headers, CONDITIONS_HINT);
    const entity = this.names.entity(entityName);
    const headers = waitHeader(call.headers);
    const proposals = await this.parser.items(entity, call.body, call.changeType, form.version, { headers });
    return this.writes.write(principal, call, proposals, entitiesWritten(form, call.systemMetadata));
  }

  /** Lists of entities of several kinds, by their names. */
  async generic(principal: Principal, call: WriteCall): Promise<HttpAnswer> {
    refuseConditions(call.headers, CONDITIONS_HINT);
    const proposals = await this.parser.byEntity(call.body, call.changeType, waitHeader(call.headers));
    return this.writes.write(principal, call, proposals, entitiesWrittenByType(V3, call.systemMetadata));
  }

  /** `[{urn, <aspect>: {headers: {If-Version-Match: n}}}]`: an item that names no aspect asks for all. */
  async get(
    principal: Principal,
    entityName: string,
    body: unknown,
    systemMetadata: boolean,
  ): Promise<ListAnswer> {
    // Ten thousand names take a while.
    await turn();
    const wanted = this.wanted(this.names.entity(entityName), body, '');
    return ok(
      await textInParts(listText('[', this.reading.batch(principal, V3, wanted, systemMetadata), ']')),
    );
  }

  async genericGet(principal: Principal, body: unknown, systemMetadata: boolean): Promise<ListAnswer> {
    await turn();
    // A name may come in several spellings.
    const byName = new Map<string, Wanted[]>();
    for (const [name, items] of entriesOf(body)) {
      const pointer = jsonPointer([name]);
      const entity = this.names.entity(name, pointer);
      byName.set(entity.name, [...(byName.get(entity.name) ?? []), ...this.wanted(entity, items, pointer)]);
    }
    const wanted = [...byName];
    const read = (some: readonly Wanted[]) => this.reading.batch(principal, V3, some, systemMetadata);
    async function* members(): AsyncGenerator<string> {
      for (const [i, [name, some]] of wanted.entries())
        yield* listText(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:[`, read(some), ']');
      yield wanted.length === 0 ? '{}' : '}';
    }
    return ok(await textInParts(members()));
  }

  /** `{urns, aspectNames, withSystemMetadata}` of version 2. */
  async getV2(principal: Principal, entityName: string, body: unknown): Promise<ListAnswer> {
    await turn();
    const entity = this.names.entity(entityName);
    if (!isRecord(body)) throw refuse('PROPOSAL_MALFORMED', 'the body must be an object with "urns"', '');
    const unknownName = Object.keys(body).find(
      (name) => !['urns', 'aspectNames', 'withSystemMetadata'].includes(name),
    );
    if (unknownName !== undefined)
      throw refuse('PROPOSAL_MALFORMED', `unknown property "${unknownName}"`, jsonPointer([unknownName]));
    const aspects = texts(body['aspectNames'] ?? [], '/aspectNames').map((name, i) => ({
      aspect: this.names.aspect(entity, name, `/aspectNames/${i}`),
      version: 0,
    }));
    const systemMetadata = body['withSystemMetadata'] ?? false;
    if (typeof systemMetadata !== 'boolean')
      throw refuse('PROPOSAL_MALFORMED', 'must be true or false', '/withSystemMetadata');
    const wanted = texts(body['urns'], '/urns').map((text, i): Wanted => {
      const urn = this.names.urn(text, entity, `/urns/${i}`).text;
      return { entity, urn, ...(aspects.length > 0 && { aspects }) };
    });
    const portions = this.reading.batch(principal, V2, wanted, systemMetadata);
    return ok(await textInParts(listText('{"entities":[', portions, ']}')));
  }

  private wanted(entity: EntitySpec, body: unknown, pointer: string): Wanted[] {
    if (!Array.isArray(body))
      throw refuse('PROPOSAL_MALFORMED', 'the body must be an array of entities', pointer);
    if (body.length > MAX_READS)
      throw refuse('BATCH_TOO_LARGE', `at most ${MAX_READS} entities can be read together`, pointer);
    return body.map((item: unknown, i): Wanted => {
      const at = `${pointer}/${i}`;
      if (!isRecord(item)) throw refuse('PROPOSAL_MALFORMED', 'each item must be an object with "urn"', at);
      const { urn: text, ...rest } = item;
      if (text === undefined) throw refuse('PROPOSAL_MALFORMED', 'urn is missing', `${at}/urn`);
      const urn = this.names.urn(text, entity, `${at}/urn`).text;
      const aspects = Object.entries(rest).map(([name, given]) => {
        const place = at + jsonPointer([name]);
        return { aspect: this.names.aspect(entity, name, place), version: readVersion(given, place) };
      });
      return { entity, urn, ...(aspects.length > 0 && { aspects }) };
    });
  }
}

/** The version that `{headers: {If-Version-Match: n}}` picks; 0, the latest, without it. */
function readVersion(given: unknown, pointer: string): number {
  if (given === null) return 0;
  if (!isRecord(given)) throw refuse('PROPOSAL_MALFORMED', 'must be an object', pointer);
  const headers = given['headers'] ?? {};
  if (!isRecord(headers))
    throw refuse('PROPOSAL_MALFORMED', 'must be an object with string values', `${pointer}/headers`);
  let version = 0;
  for (const [name, value] of Object.entries(headers)) {
    const place = pointer + jsonPointer(['headers', name]);
    if (typeof value !== 'string')
      throw refuse('PROPOSAL_MALFORMED', `the header "${name}" must be a string`, place);
    if (name.toLowerCase() !== 'if-version-match') continue;
    if (!/^\d{1,15}$/.test(value))
      throw refuse('PARAMETER_INVALID', 'If-Version-Match must be the number of a version', place);
    version = Number(value);
  }
  return version;
}

function texts(given: unknown, pointer: string): string[] {
  if (!Array.isArray(given)) throw refuse('PROPOSAL_MALFORMED', 'must be an array of strings', pointer);
  return given.map((value: unknown, i) => {
    if (typeof value === 'string') return value;
    throw refuse('PROPOSAL_MALFORMED', 'must be a string', `${pointer}/${i}`);
  });
}
