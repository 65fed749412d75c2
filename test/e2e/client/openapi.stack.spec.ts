import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Shop } from './shop.js';
import { stepsOf } from './steps.js';

const WRITE = '/openapi/v3/entity/dataset';
const TRACE = '/openapi/v1/trace';

describe("the field's SDK in OpenAPI mode, unmodified", () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop?.close());

  stepsOf(() => shop.client, 'openapi.py', {
    'chooses the protocol': true,
    'emits in every mode': {
      SYNC_WAIT: { calls: [[WRITE, 200]], name: 'SYNC_WAIT' },
      SYNC_PRIMARY: { calls: [[WRITE, 200]], name: 'SYNC_PRIMARY' },
      ASYNC: {
        calls: [
          [TRACE, 200],
          [WRITE, 202],
        ],
        name: 'ASYNC',
      },
      ASYNC_WAIT: {
        calls: [
          [TRACE, 200],
          [WRITE, 202],
        ],
        name: 'ASYNC_WAIT',
      },
    },
    'a write that waits for the index is found': [true],
    'emits a batch of several kinds': {
      accepted: expect.arrayContaining([WRITE, '/openapi/v3/entity/tag']),
      last: 'batch 119',
      status: false,
      tag: 'openapi',
    },
    'a refused value says why': {
      error: 'OperationalError',
      text: expect.stringContaining('a dataset has no aspect "corpUserInfo"'),
    },
    'a write that is rejected later is an error of whom waits for it': {
      error: 'TraceValidationError',
      text: expect.stringContaining('urn:li:structuredProperty:openapi.nowhere'),
    },
    patches: [{ b: '2' }, 'patched', ['urn:li:tag:one', 'urn:li:tag:two']],
    'deletes an entity': [true, false, ['DELETE']],
    'deletes a tag without an error in its log': [false, []],
    'reads many': { 'openapi.batch_3': 'batch 3', 'openapi.batch_4': 'batch 4' },
    'a recipe': { failures: 0, names: true },
  });

  it('leaves nothing in the log of the service', () => {
    expect(shop.service.log).toBe('');
  });
});
