import { expect } from '@jest/globals';
import type { Answer, TestCatalog } from '../../harness/catalog.js';

export const ANN = 'urn:li:corpuser:ann';
export const STAMP = { time: 1_700_000_000_000, actor: ANN };

export const dataset = (name: string, platform = 'kafka'): string =>
  `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`;

/** A URN as it stands in a path, parentheses encoded as well. */
export const encoded = (urn: string): string =>
  encodeURIComponent(urn).replaceAll('(', '%28').replaceAll(')', '%29');

/** What a proposal of the `number`-th version finds, 0 being the latest; undefined when there is none. */
export async function version(
  catalog: TestCatalog,
  urn: string,
  aspect: string,
  number: number,
): Promise<unknown> {
  const answer = await catalog.get(`/aspects/${encoded(urn)}?aspect=${aspect}&version=${number}`);
  return answer.status === 404 ? undefined : Object.values(answer.body.aspect)[0];
}

const ASPECT_API_MEMBERS = ['code', 'errors', 'exceptionClass', 'message', 'requestId', 'status'];
const PROBLEM_MEMBERS = [
  'code',
  'detail',
  'error',
  'errors',
  'message',
  'requestId',
  'status',
  'title',
  'type',
];

/** What never belongs into an answer: frames of a stack, SQL, paths of files, names of drivers. */
const INSIDES =
  /\\n +at |"stack"|node_modules|\.[tj]s:\d|file:\/\/|sqlite|mysql|elastic|redis|\bSELECT\b|\bINSERT\b|\/tmp\/|\/home\//i;

/** Checks an error answer in full: status, code, shape of the surface, request id, and that it keeps our insides. */
export function expectRefusal(answer: Answer, status: number, code: string, pointer?: string): void {
  expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code });
  const type = answer.headers.get('content-type') ?? '';
  const problem = type.startsWith('application/problem+json');
  if (!problem) expect(type).toMatch(/^application\/json/);
  expect(Object.keys(answer.body).sort()).toEqual(problem ? PROBLEM_MEMBERS : ASPECT_API_MEMBERS);
  expect(answer.body.status).toBe(status);
  expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
  expect(answer.body.message).toMatch(/\S/);
  expect(answer.text).not.toMatch(INSIDES);
  for (const error of answer.body.errors) {
    expect(error).toEqual({
      pointer: expect.stringMatching(/^(\/.*)?$/s),
      message: expect.stringMatching(/\S/),
    });
  }
  if (pointer !== undefined)
    expect(answer.body.errors.map((e: { pointer: string }) => e.pointer)).toContain(pointer);
}

const COUNTED = [
  'datasetKey',
  'tagKey',
  'corpUserKey',
  'glossaryTermKey',
  'chartKey',
  'structuredPropertyKey',
  'status',
  'datasetProperties',
  'tagProperties',
  'globalTags',
  'ownership',
  'schemaMetadata',
  'datasetProfile',
];

/** How much is stored, counted in several ways: equal before and after means that nothing was written. */
export async function stored(catalog: TestCatalog, ...urns: string[]): Promise<unknown> {
  const counts = await Promise.all(
    COUNTED.map(
      async (aspect) => (await catalog.post('/aspects?action=getCount', { aspect })).body.value as number,
    ),
  );
  const entities = await Promise.all(urns.map((urn) => catalog.get(`/entitiesV2/${encoded(urn)}`)));
  const found = await catalog.post('/entities?action=searchAcrossEntities', {
    entities: ['dataset', 'tag', 'corpuser', 'glossaryTerm', 'chart'],
    input: '*',
    count: 0,
  });
  return {
    counts,
    found: found.body.value.numEntities,
    entities: entities.map(({ status, body }) => body.aspects ?? status),
  };
}
