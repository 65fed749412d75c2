import type { ProposalOutcome } from '../../../catalog/change/index.js';
import type { StoredAspect, StoredEntity } from '../../entities/index.js';

/*
 * The two shapes of entities: version 3 has the aspects beside the URN, version 2 below `aspects`. Stored values are
 * passed on as the text that they are stored as: parsing and printing them again is most of what a read would cost.
 */

const text = (value: unknown): string => JSON.stringify(value);

/** One aspect in an answer, as JSON text. */
export interface Member {
  name: string;
  json: string;
}

/** The shape of a version of the surface. */
export interface EntityForm {
  readonly version: 'v2' | 'v3';
  entity(urn: string, aspects: readonly Member[]): string;
  /** One aspect that was asked for by its path. */
  aspect(urn: string, aspect: Member): string;
  /** A page of a list: what comes before its entities, up to the bracket, and behind them. */
  page(page: ListPage): readonly [before: string, after: string];
}

interface ListPage {
  /** The cursor of the next page; absent on the last page. */
  scrollId?: string | undefined;
  total: number;
  facets?: unknown;
}

export const V3: EntityForm = {
  version: 'v3',
  entity: (urn, aspects) => `{"urn":${text(urn)}${members(aspects, ',')}}`,
  aspect: (urn, aspect) => V3.entity(urn, [aspect]),
  page: (page) => pageOf(`"scrollId":${text(page.scrollId ?? null)},`, 'entities', page),
};

export const V2: EntityForm = {
  version: 'v2',
  entity: (urn, aspects) => `{"urn":${text(urn)},"aspects":{${members(aspects, '')}}}`,
  aspect: (_urn, aspect) => aspect.json,
  // Clients of version 2 go on while the member is there.
  page: (page) =>
    pageOf(page.scrollId === undefined ? '' : `"scrollId":${text(page.scrollId)},`, 'results', page),
};

function pageOf(next: string, name: string, { total, facets }: ListPage): readonly [string, string] {
  return [`{${next}"${name}":[`, `],"facets":${text(facets ?? [])},"totalCount":${total}}`];
}

/** Each member after `first` is preceded by a comma. */
function members(aspects: readonly Member[], first: ',' | ''): string {
  let json = '';
  for (const { name, json: value } of aspects) json += `${json === '' ? first : ','}${text(name)}:${value}`;
  return json;
}

/** `{value, systemMetadata?, auditStamp?}` of a stored aspect. */
export function storedMember(aspect: StoredAspect, systemMetadata: boolean): Member {
  const { name, value, created } = aspect;
  if (!systemMetadata) return { name, json: `{"value":${value}}` };
  const stamp = `{"time":${created.time},"actor":${text(created.actor)}}`;
  return {
    name,
    json: `{"value":${value},"systemMetadata":${aspect.systemMetadata},"auditStamp":${stamp}}`,
  };
}

export function storedEntity(form: EntityForm, entity: StoredEntity, systemMetadata: boolean): string {
  return form.entity(
    entity.urn,
    [...entity.aspects.values()].map((aspect) => storedMember(aspect, systemMetadata)),
  );
}

const BYTES = new WeakMap<StoredEntity, Map<string, Buffer>>();

/**
 * {@link storedEntity} as the bytes that are sent. A state is never changed and is shared while it is current, so
 * the bytes of one that is asked for again and again are made once.
 */
export function storedEntityBytes(form: EntityForm, entity: StoredEntity, systemMetadata: boolean): Buffer {
  let forms = BYTES.get(entity);
  if (forms === undefined) BYTES.set(entity, (forms = new Map<string, Buffer>()));
  const key = `${form.version}${systemMetadata}`;
  let bytes = forms.get(key);
  if (bytes === undefined) forms.set(key, (bytes = Buffer.from(storedEntity(form, entity, systemMetadata))));
  return bytes;
}

/** An aspect as a write left it; undefined when there is none. */
export function writtenMember(outcome: ProposalOutcome, systemMetadata: boolean): Member | undefined {
  const { aspect: name, value, systemMetadata: metadata } = outcome;
  if (value === undefined) return undefined;
  const more = systemMetadata && metadata ? `,"systemMetadata":${text(metadata)}` : '';
  return { name, json: `{"value":${text(value)}${more}}` };
}
