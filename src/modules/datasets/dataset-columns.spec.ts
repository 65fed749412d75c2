import { describe, expect, it } from '@jest/globals';
import type { AspectEdit } from '../ingest/index.js';
import { DatasetColumns } from './dataset-columns.js';

const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';

describe('DatasetColumns', () => {
  const context = (schema: unknown): any => ({
    stamp: { time: 5, actor: 'urn:li:corpuser:ed' },
    aspectOf: () => Promise.resolve(schema),
  });
  const schema = { fields: [{ fieldPath: 'a' }, { fieldPath: 'b' }] };
  const edit = (former: boolean, ...paths: string[]): AspectEdit =>
    new DatasetColumns().edit({
      urn: ORDERS,
      at: '/at',
      columns: paths.map((path) => ({ path, at: `/${path}` })),
      former,
      change: (column) => (column['description'] === 'x' ? undefined : { ...column, description: 'x' }),
    });

  it('keeps the order of the columns and everything else, and stamps the change', async () => {
    const current = {
      created: { time: 1, actor: 'urn:li:corpuser:first' },
      lastModified: { time: 2, actor: 'urn:li:corpuser:second' },
      editableSchemaFieldInfo: [
        { fieldPath: 'gone', description: 'y' },
        { fieldPath: 'b', globalTags: { tags: [] } },
      ],
    };
    expect(await edit(false, 'b', 'a').apply(current, context(schema))).toEqual({
      created: current.created,
      lastModified: { time: 5, actor: 'urn:li:corpuser:ed' },
      editableSchemaFieldInfo: [
        { fieldPath: 'gone', description: 'y' },
        { fieldPath: 'b', globalTags: { tags: [] }, description: 'x' },
        { fieldPath: 'a', description: 'x' },
      ],
    });
  });

  it('changes nothing when no column changes', async () => {
    const current = { editableSchemaFieldInfo: [{ fieldPath: 'a', description: 'x' }] };
    expect(await edit(false, 'a').apply(current, context(schema))).toBeUndefined();
  });

  it('refuses a column that is not in the schema, or only written about, unless that is enough', async () => {
    const current = { editableSchemaFieldInfo: [{ fieldPath: 'gone' }] };
    const refusal = { code: 'COLUMN_UNKNOWN', errors: [{ pointer: '/gone' }] };
    await expect(edit(false, 'gone').apply(current, context(schema))).rejects.toMatchObject(refusal);
    await expect(edit(true, 'gone').apply({}, context(undefined))).rejects.toMatchObject(refusal);
    expect(await edit(true, 'gone').apply(current, context(schema))).toBeDefined();
  });
});
