import { Injectable } from '@nestjs/common';
import type { ChangeProposal, SystemMetadata } from '../../catalog/change/index.js';
import { CatalogError, refuse } from '../../catalog/errors/index.js';
import {
  escapePointer,
  isRecord,
  Model,
  refuseBadKey,
  type AspectSpec,
  type EntitySpec,
} from '../../catalog/model/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import type { Urn } from '../../catalog/urn/index.js';
import { withArticle } from '../../catalog/with-article.js';
import { refuseDuplicateAspect } from './duplicate-aspects.js';

/**
 * Reads snapshots, the older form of ingest: `{value: {<ns>.metadata.snapshot.<X>Snapshot: {urn, aspects}}}` with
 * one record per aspect, any namespace. Each aspect becomes an UPSERT. Aspects may also stand in the snapshot by
 * their own names, the form in which glossary terms are read.
 */
@Injectable()
export class SnapshotParser {
  constructor(private readonly model: Model) {}

  /** @param pointer where the entity stands in the request. */
  parse(raw: unknown, systemMetadata: SystemMetadata, pointer: string): ChangeProposal[] {
    try {
      return this.read(raw, systemMetadata, pointer);
    } catch (error) {
      throw error instanceof CatalogError ? error.below(pointer) : error;
    }
  }

  private read(raw: unknown, systemMetadata: SystemMetadata, pointer: string): ChangeProposal[] {
    const [record, snapshot] = only(
      isRecord(raw) ? raw['value'] : undefined,
      'one snapshot under its record name',
      '/value',
    );
    const at = `/value/${escapePointer(record)}`;
    const entity = this.model.findEntityBySnapshot(record);
    if (entity === undefined) throw refuse('ENTITY_UNKNOWN', `unknown snapshot "${record}"`, at);
    if (!isRecord(snapshot))
      throw refuse('PROPOSAL_MALFORMED', 'a snapshot must be an object of urn and aspects', at);
    const { urn: urnText, aspects, ...byName } = snapshot;
    const urn = this.urn(urnText, entity, `${at}/urn`);
    const listed = this.listed(aspects, entity, `${at}/aspects`);
    const named = Object.entries(byName).map(([name, value]) => this.named(name, value, entity, at));
    if (listed.length + named.length === 0)
      throw refuse('PROPOSAL_MALFORMED', 'a snapshot must have at least one aspect', `${at}/aspects`);
    const names = new Map(listed.map(({ aspect, valuePointer }) => [aspect, valuePointer.slice(1)]));
    for (const { aspect, place, valuePointer } of named)
      refuseDuplicateAspect(names, aspect, valuePointer.slice(1), place + valuePointer);
    return [...listed, ...named].map(({ aspect, value, place, valuePointer }) => ({
      entity,
      urn,
      aspect,
      changeType: 'UPSERT',
      value,
      systemMetadata,
      pointer: pointer + place,
      valuePointer,
    }));
  }

  private urn(raw: unknown, entity: EntitySpec, at: string): Urn {
    if (typeof raw !== 'string') throw refuse('PROPOSAL_MALFORMED', 'urn must be a string', at);
    const urn = toUrn(raw, at);
    if (urn.type !== entity.name) {
      throw refuse(
        'PROPOSAL_MALFORMED',
        `${urn.text} is the URN of ${withArticle(urn.type)}, but the snapshot is of ${withArticle(entity.name)}`,
        at,
      );
    }
    refuseBadKey(at, () => this.model.keyFromUrn(urn));
    return urn;
  }

  private listed(raw: unknown, entity: EntitySpec, at: string): FoundAspect[] {
    if (raw === undefined || raw === null) return [];
    if (!Array.isArray(raw)) throw refuse('PROPOSAL_MALFORMED', 'aspects must be an array', at);
    return raw.map((item: unknown, index) => {
      const place = `${at}/${index}`;
      const [record, value] = only(item, 'one aspect under its record name', place);
      const valuePointer = `/${escapePointer(record)}`;
      const aspect = this.model.findAspectByRecord(record);
      if (aspect === undefined)
        throw refuse('ASPECT_UNKNOWN', `unknown aspect "${record}"`, place + valuePointer);
      return { aspect: registered(aspect, entity, place + valuePointer), value, place, valuePointer };
    });
  }

  private named(name: string, value: unknown, entity: EntitySpec, place: string): FoundAspect {
    const valuePointer = `/${escapePointer(name)}`;
    const aspect = this.model.findAspect(entity, name);
    if (aspect === undefined) {
      throw refuse(
        'PROPOSAL_MALFORMED',
        `a snapshot of ${withArticle(entity.name)} has no field "${name}"`,
        place + valuePointer,
      );
    }
    return { aspect, value, place, valuePointer };
  }
}

interface FoundAspect {
  aspect: AspectSpec;
  value: unknown;
  /** Pointer of what holds the value, and from there to the value. */
  place: string;
  valuePointer: string;
}

/** The one member of an object. */
function only(raw: unknown, wanted: string, at: string): [name: string, value: unknown] {
  const members = isRecord(raw) ? Object.entries(raw) : [];
  const [member] = members;
  if (member === undefined || members.length > 1) {
    throw refuse('PROPOSAL_MALFORMED', `must be an object that holds ${wanted}`, at);
  }
  return member;
}

function registered(aspect: AspectSpec, entity: EntitySpec, at: string): AspectSpec {
  if (entity.has(aspect.name)) return aspect;
  throw refuse('ASPECT_UNKNOWN', `${withArticle(entity.name)} has no aspect "${aspect.name}"`, at);
}
