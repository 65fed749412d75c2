import { expect } from '@jest/globals';
import type { TestCatalog } from '../../harness/catalog.js';

export const ANN = 'urn:li:corpuser:ann';
export const BOB = 'urn:li:corpuser:bob';
export const OWNERS = 'urn:li:corpGroup:owners';

export const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:postgres,${name},PROD)`;

/** A dataset with columns. */
export async function withDataset(
  catalog: TestCatalog,
  name: string,
  columns = ['id', 'price'],
): Promise<string> {
  const urn = dataset(name);
  const fields = columns.map((fieldPath) => ({
    fieldPath,
    nativeDataType: 'text',
    type: { type: { 'com.linkedin.schema.StringType': {} } },
  }));
  await catalog.ingest(
    [urn, 'datasetProperties', { name, description: 'as ingested' }],
    [
      urn,
      'schemaMetadata',
      {
        schemaName: name,
        platform: 'urn:li:dataPlatform:postgres',
        version: 0,
        hash: '',
        platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
        fields,
      },
    ],
  );
  return urn;
}

interface GraphqlAnswer {
  data?: any;
  errors?: Array<{ message: string; path?: unknown; extensions: Record<string, any> }>;
  extensions: unknown;
}

export async function graphql(
  catalog: TestCatalog,
  query: string,
  variables: Record<string, unknown> = {},
  token?: string,
): Promise<GraphqlAnswer> {
  const answer = await catalog.post(
    '/api/graphql',
    { query, variables },
    token === undefined ? {} : { token },
  );
  expect(answer.status).toBe(200);
  return answer.body as GraphqlAnswer;
}

/** The declared types of the inputs, by mutation: a test only names the mutation and the input. */
const UNUSUAL: Readonly<Record<string, string>> = {
  addTag: 'TagAssociationInput',
  removeTag: 'TagAssociationInput',
  addTerm: 'TermAssociationInput',
  removeTerm: 'TermAssociationInput',
  createGlossaryTerm: 'CreateGlossaryEntityInput',
  createGlossaryNode: 'CreateGlossaryEntityInput',
  addRelatedTerms: 'RelatedTermsInput',
  removeRelatedTerms: 'RelatedTermsInput',
  updateDescription: 'DescriptionUpdateInput',
};

const inputType = (mutation: string): string =>
  UNUSUAL[mutation] ?? `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;

/** Runs a mutation whose argument is `input`, and answers everything. */
export function tried(
  catalog: TestCatalog,
  mutation: string,
  input: unknown,
  token?: string,
): Promise<GraphqlAnswer> {
  const query = `mutation($input: ${inputType(mutation)}!) { ${mutation}(input: $input) }`;
  return graphql(catalog, query, { input }, token);
}

/** Runs a mutation that must succeed; its result. */
export async function mutate(catalog: TestCatalog, mutation: string, input: unknown): Promise<any> {
  return resultOf(await tried(catalog, mutation, input), mutation);
}

export function resultOf(answer: GraphqlAnswer, field: string): any {
  expect(answer.errors).toBeUndefined();
  expect(answer.extensions).toEqual({});
  return answer.data[field];
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  403: 'UNAUTHORIZED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'TOO_LARGE',
};

/** The error of the decisions in full: number, name, our code, and where in the request. */
export function expectRefused(
  answer: GraphqlAnswer,
  code: number,
  errorCode: string,
  pointer?: string,
): void {
  expect(answer.errors?.map(({ extensions }) => extensions)).toEqual([
    expect.objectContaining({
      code,
      type: TYPES[code],
      classification: 'DataFetchingException',
      errorCode,
      ...(pointer === undefined ? {} : { pointer }),
    }),
  ]);
  expect(answer.errors?.[0]?.message).toMatch(/\S/);
  expect(JSON.stringify(answer)).not.toMatch(/\.ts:|node_modules|SELECT|sqlite/i);
  for (const value of Object.values((answer.data ?? {}) as object)) expect(value).toBeNull();
}

/** A list beyond the limit of the surface: refused before anything is looked at. */
export function expectTooLong(answer: GraphqlAnswer, list: string): void {
  expect(answer.errors?.map(({ extensions }) => extensions)).toEqual([
    expect.objectContaining({
      code: 413,
      type: 'TOO_LARGE',
      errorCode: 'BATCH_TOO_LARGE',
      pointer: `/variables/input/${list}`,
    }),
  ]);
}

/** Waits for a fact that comes about in the background. */
export async function eventually(check: () => Promise<void>, patienceMs = 240_000): Promise<void> {
  const end = Date.now() + patienceMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
