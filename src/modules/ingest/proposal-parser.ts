import { Injectable } from '@nestjs/common';
import {
  CHANGE_TYPES,
  readWriteHeaders,
  withHeadersOf,
  type ChangeProposal,
  type ChangeType,
} from '../../catalog/change/index.js';
import { CatalogError, refuse } from '../../catalog/errors/index.js';
import { LARGE_TEXT, parseJson, parseLargeJson } from '../../catalog/json/index.js';
import {
  isRecord,
  Model,
  refuseBadKey,
  type AspectSpec,
  type EntitySpec,
} from '../../catalog/model/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import type { Urn } from '../../catalog/urn/index.js';
import { withArticle } from '../../catalog/with-article.js';
import { parseSystemMetadata } from './system-metadata-parser.js';

const FIELDS = [
  'auditHeader',
  'entityType',
  'entityUrn',
  'entityKeyAspect',
  'changeType',
  'aspectName',
  'aspect',
  'systemMetadata',
  'headers',
];

type Parse = (text: string) => unknown;

/**
 * Reads proposals as the aspect API sends them and resolves their names against the model. Whatever is wrong is
 * refused with a pointer to it; whether the value is valid is left to the write.
 *
 * A URN is taken as it stands: some clients send non-ASCII URNs doubly escaped (`z\u00fc` as six characters of
 * text), and nothing tells that apart from a URN that is meant so.
 */
@Injectable()
export class ProposalParser {
  /** The URN read last: in a batch, the aspects of one entity mostly come in a row. */
  private last: Urn | undefined;

  constructor(private readonly model: Model) {}

  /**
   * @param pointer where the proposal stands in the request.
   * @param headers of the request, those that go with the proposal; its own win.
   */
  parse(
    raw: unknown,
    pointer: string,
    headers: Readonly<Record<string, string>> = {},
    parseValue: Parse = parseJson,
  ): ChangeProposal {
    try {
      return this.read(raw, pointer, headers, parseValue);
    } catch (error) {
      throw error instanceof CatalogError ? error.below(pointer) : error;
    }
  }

  /** {@link parse} for a proposal that may be large: a promise when it is, and others are served in between. */
  parseInTurns(
    raw: unknown,
    pointer: string,
    headers?: Readonly<Record<string, string>>,
  ): ChangeProposal | Promise<ChangeProposal> {
    const envelope = isRecord(raw) ? raw['aspect'] : undefined;
    const text = isRecord(envelope) ? envelope['value'] : undefined;
    if (typeof text !== 'string' || text.length < LARGE_TEXT) return this.parse(raw, pointer, headers);
    return parsedBefore(text).then((parsed) => this.parse(raw, pointer, headers, parsed));
  }

  private read(
    raw: unknown,
    pointer: string,
    headers: Readonly<Record<string, string>>,
    parseValue: Parse,
  ): ChangeProposal {
    if (!isRecord(raw)) throw refuse('PROPOSAL_MALFORMED', 'a proposal must be a JSON object', '');
    const unknownName = Object.keys(raw).find((name) => !FIELDS.includes(name));
    if (unknownName !== undefined) {
      throw refuse(
        'PROPOSAL_MALFORMED',
        `unknown property "${unknownName}" of a proposal, known are ${FIELDS.join(', ')}`,
        `/${unknownName}`,
      );
    }
    const entity = this.entity(raw);
    const urn = this.urn(raw, entity);
    const changeType = readChangeType(raw);
    const aspect = this.aspect(raw, entity, changeType);
    const { value, valuePointer } = readValue(raw, changeType, parseValue);
    return {
      entity,
      urn,
      aspect,
      changeType,
      ...(value !== undefined && { value }),
      systemMetadata: parseSystemMetadata(raw['systemMetadata'], '/systemMetadata'),
      ...readWriteHeaders(withHeadersOf(raw['headers'], headers, ''), ''),
      pointer,
      valuePointer,
    };
  }

  private entity(raw: Record<string, unknown>): EntitySpec {
    const name = text(raw, 'entityType');
    const entity = this.model.findEntity(name);
    if (entity === undefined) throw refuse('ENTITY_UNKNOWN', `unknown entity type "${name}"`, '/entityType');
    return entity;
  }

  private urn(raw: Record<string, unknown>, entity: EntitySpec): Urn {
    const fromKey = this.urnFromKey(raw, entity);
    const given = raw['entityUrn'] ?? undefined;
    if (given === undefined) {
      if (fromKey !== undefined) return toUrn(fromKey, '/entityKeyAspect');
      throw refuse('PROPOSAL_MALFORMED', 'either entityUrn or entityKeyAspect must be given', '');
    }
    const { last } = this;
    if (last !== undefined && last.text === given && last.type === entity.name && fromKey === undefined)
      return last;
    const urn = toUrn(text(raw, 'entityUrn'), '/entityUrn');
    if (urn.type !== entity.name) {
      throw refuse(
        'PROPOSAL_MALFORMED',
        `${urn.text} is the URN of ${withArticle(urn.type)}, but entityType is ${entity.name}`,
        '/entityUrn',
      );
    }
    refuseBadKey('/entityUrn', () => this.model.keyFromUrn(urn));
    if (fromKey !== undefined && fromKey !== urn.text) {
      throw refuse(
        'PROPOSAL_MALFORMED',
        `entityKeyAspect names ${fromKey}, but entityUrn is ${urn.text}`,
        '/entityKeyAspect',
      );
    }
    this.last = urn;
    return urn;
  }

  private urnFromKey(raw: Record<string, unknown>, entity: EntitySpec): string | undefined {
    const given = raw['entityKeyAspect'] ?? undefined;
    if (given === undefined) return undefined;
    const { value, valuePointer } = readEnvelope(given, '/entityKeyAspect', false, parseJson);
    if (!isRecord(value)) throw refuse('PROPOSAL_MALFORMED', 'a key aspect must be an object', valuePointer);
    return refuseBadKey(valuePointer, () => this.model.urnFromKey(entity, value));
  }

  private aspect(raw: Record<string, unknown>, entity: EntitySpec, changeType: ChangeType): AspectSpec {
    if (changeType === 'DELETE' && (raw['aspectName'] ?? undefined) === undefined) {
      // Without an aspect, a DELETE would delete the entity: that must be explicit.
      const hint = `name the aspect to delete; deleting "${entity.key.name}" deletes the entity`;
      throw refuse('PROPOSAL_MALFORMED', `aspectName is missing: ${hint}`, '/aspectName');
    }
    const name = text(raw, 'aspectName');
    const aspect = this.model.findAspect(entity, name);
    if (aspect === undefined) {
      const known = [...this.model.aspects.keys()].some(
        (other) => other.toLowerCase() === name.toLowerCase(),
      );
      const message = known
        ? `${withArticle(entity.name)} has no aspect "${name}"`
        : `unknown aspect "${name}"`;
      throw refuse('ASPECT_UNKNOWN', message, '/aspectName');
    }
    if (aspect.kind === 'timeseries' && changeType !== 'UPSERT') {
      const message = `"${aspect.name}" is a time-series aspect: its events can only be written with UPSERT`;
      throw refuse('PROPOSAL_MALFORMED', message, '/changeType');
    }
    return aspect;
  }
}

function readChangeType(raw: Record<string, unknown>): ChangeType {
  const name = text(raw, 'changeType');
  const changeType = CHANGE_TYPES.find((known) => known === name);
  if (changeType === undefined) {
    throw refuse(
      'PROPOSAL_MALFORMED',
      `unknown changeType "${name}", must be one of ${CHANGE_TYPES.join(', ')}`,
      '/changeType',
    );
  }
  return changeType;
}

/** Parses a text in turns. The function that it resolves to returns the value, or throws the error. */
async function parsedBefore(text: string): Promise<Parse> {
  return parseLargeJson(text).then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error;
    },
  );
}

/** A DELETE needs no value; one that is sent is ignored. */
function readValue(
  raw: Record<string, unknown>,
  changeType: ChangeType,
  parseValue: Parse,
): { value?: unknown; valuePointer: string } {
  if (changeType === 'DELETE') return { valuePointer: '/aspect/value' };
  const envelope = raw['aspect'] ?? undefined;
  if (envelope === undefined) {
    throw refuse('PROPOSAL_MALFORMED', `aspect is missing: ${changeType} needs a value`, '/aspect');
  }
  return readEnvelope(envelope, '/aspect', changeType === 'PATCH', parseValue);
}

/** `{value: <JSON text>, contentType}`, or the value itself as `{json: <value>}`. */
function readEnvelope(
  raw: unknown,
  pointer: string,
  patch: boolean,
  parseValue: Parse,
): { value: unknown; valuePointer: string } {
  if (!isRecord(raw))
    throw refuse('PROPOSAL_MALFORMED', 'must be an object of value and contentType', pointer);
  const unknownName = Object.keys(raw).find((name) => !['value', 'contentType', 'json'].includes(name));
  if (unknownName !== undefined) {
    throw refuse(
      'PROPOSAL_MALFORMED',
      `unknown property "${unknownName}", known are value, contentType`,
      `${pointer}/${unknownName}`,
    );
  }
  const json = raw['json'] ?? undefined;
  const serialized = raw['value'] ?? undefined;
  if (json !== undefined && serialized !== undefined) {
    throw refuse('PROPOSAL_MALFORMED', 'must hold either value or json, not both', `${pointer}/json`);
  }
  checkContentType(raw['contentType'] ?? undefined, `${pointer}/contentType`, patch);
  if (json !== undefined) return { value: json, valuePointer: `${pointer}/json` };
  const valuePointer = `${pointer}/value`;
  if (typeof serialized !== 'string') {
    throw refuse('PROPOSAL_MALFORMED', 'value must be there, as a string that holds JSON text', valuePointer);
  }
  try {
    return { value: parseValue(serialized), valuePointer };
  } catch (error) {
    throw error instanceof CatalogError ? error.below(valuePointer) : error;
  }
}

function checkContentType(given: unknown, pointer: string, patch: boolean): void {
  if (given === undefined) return;
  const type = typeof given === 'string' ? given.split(';', 1)[0]?.trim().toLowerCase() : undefined;
  if (type === 'application/json' || (patch && type === 'application/json-patch+json')) return;
  const shown = typeof given === 'string' ? `"${given}"` : withArticle(typeof given);
  throw refuse('MEDIA_TYPE_UNSUPPORTED', `contentType must be "application/json", not ${shown}`, pointer);
}

function text(raw: Record<string, unknown>, name: string): string {
  const value = raw[name] ?? undefined;
  if (value === undefined || value === '')
    throw refuse('PROPOSAL_MALFORMED', `${name} is missing`, `/${name}`);
  if (typeof value !== 'string') throw refuse('PROPOSAL_MALFORMED', `${name} must be a string`, `/${name}`);
  return value;
}
