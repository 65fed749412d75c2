import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readPage } from '../../harness/page-commands.js';
import { Shop } from './shop.js';

describe("docs/tutorial.md, with the field's SDK and command line", () => {
  const page = readPage('tutorial.md');
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop?.close());

  it('describes a table, and reads it back', async () => {
    const [, script] = /```python\n(.+?)```/s.exec(page)!;
    const [, urn, aspect] = /```bash datahub\ndatahub get --urn '(\S+)' --aspect (\w+)\n```/.exec(page)!;
    await shop.client.python(script!);
    expect(JSON.parse(await shop.client.datahub('get', '--urn', urn!, '--aspect', aspect!))).toMatchObject({
      schemaMetadata: {
        fields: [
          { fieldPath: 'order_id', nativeDataType: 'bigint' },
          { fieldPath: 'amount', nativeDataType: 'numeric' },
        ],
      },
    });
    expect(await shop.search('dataset', 'refund')).toEqual([urn]);
  });
});
