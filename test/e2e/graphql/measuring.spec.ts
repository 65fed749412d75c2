import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { entityTypeName } from '../../../src/catalog/search/index.js';
import { Model } from '../../../src/catalog/model/index.js';
import { EntityType } from '../../../src/modules/graphql/index.js';
import { TestCatalog } from '../../harness/catalog.js';
import { data, failure } from './support.js';

const D = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';

describe('what is measured about datasets', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      ...[1, 2, 3].map((i): [string, string, unknown] => [
        D,
        'datasetProfile',
        {
          timestampMillis: i * 1000,
          rowCount: i * 10,
          columnCount: 2,
          fieldProfiles: [
            {
              fieldPath: 'id',
              uniqueCount: i,
              min: '1',
              sampleValues: ['a'],
              distinctValueFrequencies: [{ value: 'a', frequency: 4 }],
            },
          ],
        },
      ]),
      [
        D,
        'datasetUsageStatistics',
        {
          timestampMillis: 5000,
          uniqueUserCount: 2,
          totalSqlQueries: 9,
          fieldCounts: [{ fieldPath: 'id', count: 7 }],
        },
      ],
    );
  });
  afterAll(() => catalog.stop());

  it('shows profiles, the newest first, in a range and by a condition', async () => {
    const { dataset: found } = await data(
      catalog,
      `{ dataset(urn: "${D}") {
        all: datasetProfiles { rowCount }
        one: datasetProfiles(startTimeMillis: 1500, endTimeMillis: 2500) { timestampMillis rowCount columnCount
          fieldProfiles { fieldPath uniqueCount min max sampleValues distinctValueFrequencies { value frequency } } }
        few: datasetProfiles(limit: 1, filter: { and: [{ field: "rowCount", condition: LESS_THAN, values: ["25"] }] }) { rowCount }
        usageStats { buckets { bucket uniqueUserCount totalSqlQueries fields { fieldName count } users { count } } }
      } }`,
    );
    expect(found.all).toEqual([{ rowCount: 30 }, { rowCount: 20 }, { rowCount: 10 }]);
    expect(found.one).toEqual([
      {
        timestampMillis: 2000,
        rowCount: 20,
        columnCount: 2,
        fieldProfiles: [
          {
            fieldPath: 'id',
            uniqueCount: 2,
            min: '1',
            max: null,
            sampleValues: ['a'],
            distinctValueFrequencies: [{ value: 'a', frequency: 4 }],
          },
        ],
      },
    ]);
    expect(found.few).toEqual([{ rowCount: 20 }]);
    expect(found.usageStats).toEqual({
      buckets: [
        {
          bucket: 5000,
          uniqueUserCount: 2,
          totalSqlQueries: 9,
          fields: [{ fieldName: 'id', count: 7 }],
          users: [],
        },
      ],
    });
  });

  it('refuses conditions on what events do not have', async () => {
    const error = await failure(
      catalog,
      `{ dataset(urn: "${D}") { datasetProfiles(filter: { and: [{ field: "shoeSize", values: ["1"] }] }) { rowCount } } }`,
    );
    expect(error.extensions).toMatchObject({ code: 400, errorCode: 'FILTER_INVALID' });
  });
});

describe('EntityType', () => {
  it('has a value for every entity of the model', () => {
    const names = [...Model.load().entities.keys()].map(entityTypeName);
    expect(names.filter((name) => !Object.hasOwn(EntityType, name))).toEqual([]);
  });
});
