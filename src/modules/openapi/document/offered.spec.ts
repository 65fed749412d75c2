import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';

const documents = globSync('docs/openapi/entities-*.json').map((file) =>
  JSON.parse(readFileSync(file, 'utf8')),
);
const operations = documents.flatMap(({ paths }) =>
  Object.entries<any>(paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => ({ path, method, operation })),
  ),
);

describe('what the API documents offer', () => {
  it('has in each body for patches of entities a patch, as its schema asks for', () => {
    const examples = operations
      .filter(({ path, method }) => method === 'patch' && /\/entity\/\w+$/.test(path))
      .map(({ path, operation }) => {
        const media: any = Object.values(operation.requestBody.content)[0];
        return { path, members: Object.keys(media.example[0]).length };
      });
    expect(examples.length).toBeGreaterThan(50);
    expect(examples.filter(({ members }) => members < 2)).toEqual([]);
  });

  it('has nothing that is refused in any case', () => {
    const refused = operations.filter(
      ({ path, method }) =>
        (method === 'delete' && path.endsWith('/propertyDefinition')) ||
        (['get', 'head'].includes(method) &&
          /\/(corpUserCredentials|dataHubSecretValue|dataHubAccessTokenInfo)$/.test(path)),
    );
    expect(refused.map(({ path, method }) => `${method} ${path}`)).toEqual([]);
  });
});
