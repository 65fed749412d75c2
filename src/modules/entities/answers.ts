import { snapshotHoldsAspectsByName, type RecordNamespace } from '../../catalog/restli/index.js';
import { listText } from '../../routing/text-in-parts.js';
import type { Model } from '../../catalog/model/index.js';
import type { StoredAspect, StoredEntity } from './store/stored-entity.js';

/*
 * Responses of the read endpoints as JSON text. The values are stored as the text that is answered, so they are put
 * together here without being parsed and printed again: that is most of what a read would cost.
 * Everything that is not stored JSON goes through `text`.
 */

const text = (value: string | number): string => JSON.stringify(value);

function object(members: Iterable<readonly [name: string, json: string]>): string {
  let json = '';
  for (const [name, value] of members) json += `${json === '' ? '{' : ','}${text(name)}:${value}`;
  return json === '' ? '{}' : `${json}}`;
}

/**
 * `{urn, entityName, aspects: {<name>: {name, type, version, value, created, systemMetadata}}}`.
 * @param versions of those aspects that were asked for by a version
 */
export function entityV2Answer(entity: StoredEntity, versions?: ReadonlyMap<string, number>): string {
  const aspects = object(
    [...entity.aspects.values()].map((a) => [a.name, aspectV2(a, versions?.get(a.name))] as const),
  );
  return `{"urn":${text(entity.urn)},"entityName":${text(entity.entityType)},"aspects":${aspects}}`;
}

/** The answers of cached states as bytes: a state is never changed, and shared while it is current. */
const entityV2Bytes = new WeakMap<StoredEntity, Buffer>();

/** {@link entityV2Answer} as the bytes that are sent: encoding a text anew is a third of what a read costs. */
export function entityV2AnswerBytes(entity: StoredEntity): Buffer {
  let bytes = entityV2Bytes.get(entity);
  if (bytes === undefined) entityV2Bytes.set(entity, (bytes = Buffer.from(entityV2Answer(entity))));
  return bytes;
}

/** Version 0 is the latest, whatever its number: clients of this answer only know that one. */
function aspectV2({ name, value, created, systemMetadata }: StoredAspect, version = 0): string {
  return (
    `{"name":${text(name)},"type":"VERSIONED","version":${version},"value":${value},` +
    `"created":{"time":${text(created.time)},"actor":${text(created.actor)}},"systemMetadata":${systemMetadata}}`
  );
}

/** `{version, aspect: {<record>: value}}`. */
export function versionedAspectAnswer(version: number, record: string, value: string): string {
  return `{"version":${version},"aspect":${object([[record, value]])}}`;
}

/** `{value: {<snapshot record>: {urn, aspects: [{<record>: value}]}}}`, or the aspects by name where that is the form. */
export function snapshotAnswer(entity: StoredEntity, model: Model, namespace: RecordNamespace): string {
  const spec = model.entities.get(entity.entityType);
  if (spec === undefined)
    throw new Error(`the model has no entity ${entity.entityType}, but the store has one`);
  const aspects = [...entity.aspects.values()];
  const recordOf = (name: string): string => namespace.of(model.aspects.get(name)?.record ?? name);
  const members: Array<readonly [string, string]> = snapshotHoldsAspectsByName(spec.name)
    ? aspects.map((a) => [a.name, a.value])
    : [['aspects', `[${aspects.map((a) => object([[recordOf(a.name), a.value]])).join(',')}]`]];
  const snapshot = object([['urn', text(entity.urn)], ...members]);
  return `{"value":${object([[namespace.of(model.snapshotRecord(spec)), snapshot]])}}`;
}

/**
 * `{results, statuses, errors}` of a read of several, some at a time; what is missing stands under `errors`.
 * @param show makes the JSON of what was found
 */
export async function* batchAnswer<Found>(
  urns: readonly string[],
  portions: AsyncIterable<ReadonlyMap<string, Found>>,
  show: (found: Found) => string,
): AsyncGenerator<string> {
  const missing = new Set(urns);
  async function* results(): AsyncGenerator<string[]> {
    for await (const found of portions) {
      for (const urn of found.keys()) missing.delete(urn);
      yield [...found].map(([urn, entity]) => `${text(urn)}:${show(entity)}`);
    }
  }
  yield* listText('{"results":{', results(), '},"statuses":{},');
  const errors = [...missing].map((urn) => {
    const error = { status: 404, code: 'ENTITY_NOT_FOUND', message: `there is no entity ${urn}` };
    return [urn, JSON.stringify(error)] as const;
  });
  yield `"errors":${object(errors)}}`;
}
