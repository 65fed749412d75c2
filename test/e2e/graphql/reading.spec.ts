import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { data } from './support.js';

const D = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';

describe('reading over GraphQL', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      [D, 'datasetProperties', { description: 'All orders' }],
      [D, 'globalTags', { tags: [{ tag: 'urn:li:tag:pii' }] }],
    );
  });
  afterAll(() => catalog.stop());

  it('reads', async () => {
    for (let i = 0; i < 3; i++) {
      const got = await data(
        catalog,
        `query($u: String!) { dataset(urn: $u) { urn type exists name properties { description } schemaMetadata(version: 0) { fields {fieldPath} } tags { tags { tag { urn name exists } } } aspects { aspectName payload } } missing: dataset(urn: "urn:li:dataset:(urn:li:dataPlatform:hive,nope,PROD)") { urn } entity(urn: $u) { __typename ... on Dataset { origin platform { name } } } }`,
        { u: D },
      );
      console.log(JSON.stringify(got));
    }
    expect(1).toBe(1);
  });
});
