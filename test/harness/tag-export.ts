import { Model, modelDigest } from '../../src/catalog/model/index.js';
import { LineChecksums } from '../../src/modules/transfer/line-checksums.js';
import { LineWriter } from '../../src/modules/transfer/line-writer.js';

/** An export of many tags, with three versions of an aspect each. */
export function tagExport(entities: number): string {
  const writer = new LineWriter();
  const checksums = new LineChecksums();
  const checked = (): string => {
    const part = writer.take();
    checksums.fill(part);
    return part.toString();
  };
  const created = { time: 1_750_000_000_000, actor: 'urn:li:corpuser:ann' };
  const selection = {
    entityTypes: [],
    urns: [],
    history: true,
    timeseries: true,
    secrets: false,
    tokens: false,
  };
  const line = (value: object): void => writer.line(JSON.stringify(value).slice(0, -1));
  line({ kind: 'catalog-export', format: 1, model: modelDigest(Model.load()), ...selection });
  for (let i = 0; i < entities; i += 1) {
    const of = { entityType: 'tag', entityUrn: `urn:li:tag:t${String(i).padStart(6, '0')}` };
    const value = (kind: string, aspectName: string, version: number, json: object): void =>
      line({ kind, ...of, aspectName, version, aspect: { json }, systemMetadata: {}, created });
    line({ kind: 'entity', ...of, created });
    value('aspect', 'tagKey', 1, { name: `t${i}` });
    value('aspect', 'tagProperties', 3, { name: `third ${i}` });
    value('history', 'tagProperties', 1, { name: `first ${i}` });
    value('history', 'tagProperties', 2, { name: `second ${i}` });
  }
  const counts = { entities, aspects: 2 * entities, history: 2 * entities, events: 0, tokens: 0 };
  const lines = checked();
  writer.end(counts, undefined, checksums.sha256());
  return lines + checked();
}
