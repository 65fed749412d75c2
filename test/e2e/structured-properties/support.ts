import { expect } from '@jest/globals';
import type { Answer, TestCatalog } from '../../harness/catalog.js';
import { encoded, expectRefusal } from '../aspect-api/support.js';

export const property = (name: string): string => `urn:li:structuredProperty:${name}`;
export const dataType = (name: string): string => `urn:li:dataType:platform.${name}`;
export const entityType = (name: string): string => `urn:li:entityType:platform.${name}`;

/** A definition as clients send it. */
export const definition = (name: string, type: string, more: Record<string, unknown> = {}) => ({
  qualifiedName: name,
  valueType: dataType(type),
  entityTypes: [entityType('dataset')],
  ...more,
});

export async function define(
  catalog: TestCatalog,
  name: string,
  type: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  await catalog.ingest([property(name), 'propertyDefinition', definition(name, type, more)]);
  return property(name);
}

/** One value as the aspect writes it. */
export const value = (v: string | number) => (typeof v === 'number' ? { double: v } : { string: v });

/** An element of the aspect. */
export const holds = (propertyUrn: string, ...values: Array<string | number>) => ({
  propertyUrn,
  values: values.map(value),
});

export const setting = (...properties: Array<ReturnType<typeof holds>>) => ({ properties });

/** What an entity shows of its values: property name to values. */
export async function shown(catalog: TestCatalog, urn: string): Promise<Record<string, unknown> | undefined> {
  const aspect = await catalog.read(urn, 'structuredProperties');
  return aspect && asRecord(aspect);
}

export function asRecord(aspect: any): Record<string, unknown> {
  return Object.fromEntries(
    aspect.properties.map((p: any) => {
      expect(Object.keys(p).sort()).toEqual(['propertyUrn', 'values']);
      return [p.propertyUrn.slice(property('').length), p.values.map((v: any) => v.string ?? v.double)];
    }),
  );
}

export const patchOf = (operations: unknown[]) => ({
  patch: operations,
  arrayPrimaryKeys: { properties: ['propertyUrn'] },
});

export const add = (urn: string, ...values: Array<string | number>) => ({
  op: 'add',
  path: `/properties/${urn}`,
  value: holds(urn, ...values),
});

export const remove = (urn: string) => ({ op: 'remove', path: `/properties/${urn}` });

export function patch(catalog: TestCatalog, urn: string, ...operations: unknown[]): Promise<Answer> {
  return catalog.propose(urn, 'structuredProperties', patchOf(operations), { changeType: 'PATCH' });
}

/** URNs found by one criterion, sorted. */
export async function found(
  catalog: TestCatalog,
  field: string,
  condition: string,
  ...values: string[]
): Promise<string[]> {
  const answer = await catalog.search('dataset', '*', {
    count: 1000,
    filter: { or: [{ and: [{ field: `structuredProperties.${field}`, condition, values }] }] },
  });
  return answer.entities.map((urn: string) => urn.split(',')[1]).sort();
}

export function searchAnswer(catalog: TestCatalog, field: string, condition = 'EXISTS'): Promise<Answer> {
  return catalog.post('/entities?action=search', {
    entity: 'dataset',
    input: '*',
    start: 0,
    count: 10,
    filter: { or: [{ and: [{ field: `structuredProperties.${field}`, condition, values: [] }] }] },
  });
}

/** Hard deletion, as the client does it. */
export async function hardDelete(catalog: TestCatalog, urn: string): Promise<void> {
  const answer = await catalog.post('/entities?action=delete', { urn });
  expect(answer.status).toBe(200);
}

export async function softDelete(catalog: TestCatalog, urn: string, removed = true): Promise<void> {
  await catalog.ingest([urn, 'status', { removed }]);
}

/** Everything that a refused write could have changed. */
export async function snapshotOf(catalog: TestCatalog, urn: string): Promise<unknown> {
  return (await catalog.get(`/entitiesV2/${encoded(urn)}`)).body.aspects ?? 'none';
}

/** Checks that a write is refused in full, and that nothing of the entity has changed. */
export async function expectNothingWritten(
  catalog: TestCatalog,
  urn: string,
  write: () => Promise<Answer>,
  expected: { status?: number; code?: string; pointer?: string; message: string },
): Promise<void> {
  const before = await snapshotOf(catalog, urn);
  const answer = await write();
  expectRefusal(answer, expected.status ?? 422, expected.code ?? 'RULE_VIOLATED', expected.pointer);
  expect(answer.body.message).toContain(expected.message);
  expect(await snapshotOf(catalog, urn)).toEqual(before);
}

/** Makes an asset that holds these values, and nothing else. */
export async function assetWith(
  catalog: TestCatalog,
  urn: string,
  ...entries: Array<ReturnType<typeof holds>>
): Promise<string> {
  await catalog.ingest([urn, 'datasetProperties', {}], [urn, 'structuredProperties', setting(...entries)]);
  return urn;
}
