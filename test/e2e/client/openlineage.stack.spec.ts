import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { Shop } from './shop.js';
import { stepsOf } from './steps.js';

const table = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,${name},PROD)`;

describe('the Python client of OpenLineage, unmodified', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop?.close());

  stepsOf(() => shop.client, 'openlineage_events.py', {
    'sends the events of a run': true,
    'reads the job': 'Builds the order table',
    'reads the lineage': {
      inputs: [table('shop.staging.orders')],
      outputs: [table('shop.marts.orders')],
      columns: 1,
    },
    'reads the schema': ['id'],
    'a wrong token': { error: expect.any(String), text: expect.stringContaining('401') },
  });
});
