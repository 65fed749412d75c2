import { expect } from '@jest/globals';
import type { Answer, TestCatalog } from '../../harness/catalog.js';

/** Sends an operation and answers everything that came back. */
export function graphql(
  catalog: TestCatalog,
  query: string,
  variables?: Record<string, unknown>,
  options: { token?: string | null; operationName?: string } = {},
): Promise<Answer> {
  const { token, operationName } = options;
  return catalog.post(
    '/api/graphql',
    { query, ...(variables ? { variables } : {}), ...(operationName ? { operationName } : {}) },
    token === undefined ? {} : { token },
  );
}

/** The data of an operation that must go well. */
export async function data(
  catalog: TestCatalog,
  query: string,
  variables?: Record<string, unknown>,
): Promise<any> {
  const answer = await graphql(catalog, query, variables);
  expect({ status: answer.status, errors: answer.body.errors }).toEqual({ status: 200, errors: undefined });
  expect(answer.body.extensions).toEqual({});
  return answer.body.data;
}

/** The first error of an operation that must fail, its answer being a good one all the same. */
export async function failure(
  catalog: TestCatalog,
  query: string,
  variables?: Record<string, unknown>,
  options: { token?: string } = {},
): Promise<any> {
  const answer = await graphql(catalog, query, variables, options);
  expect(answer.status).toBe(200);
  expect(answer.body.extensions).toEqual({});
  expect(answer.body.errors?.length).toBeGreaterThan(0);
  expect(answer.text).not.toMatch(/node_modules|\.[tj]s:\d|"stack"|SELECT |sqlite/i);
  return answer.body.errors[0];
}
