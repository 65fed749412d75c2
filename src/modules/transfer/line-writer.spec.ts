import { describe, expect, it } from '@jest/globals';
import { checkOf } from './export-format.js';
import { BLANK_CHECK, LineChecksums } from './line-checksums.js';
import { LineWriter } from './line-writer.js';

describe('LineWriter', () => {
  it('takes lines that the database has made, beside its own, and makes one line of each', () => {
    const writer = new LineWriter();
    writer.line('{"kind":"entity"');
    const made = [`{"a":"ü"${BLANK_CHECK}`, `{"a":{"b":\n[1,\n2]\n}${BLANK_CHECK}`].join('');
    writer.lines(Buffer.from(made), 2);
    writer.line('{"kind":"end"');
    expect(writer.count).toBe(4);

    const part = writer.take();
    new LineChecksums().fill(part);
    const lines = part.toString().split('\n');
    let check = 0;
    const read = lines.slice(0, -1).map((line) => {
      check = checkOf(Buffer.from(line), check) ?? NaN;
      const { check: _, ...rest } = JSON.parse(line) as Record<string, unknown>;
      return rest;
    });
    expect(read).toEqual([{ kind: 'entity' }, { a: 'ü' }, { a: { b: [1, 2] } }, { kind: 'end' }]);
    expect(check).not.toBeNaN();
  });

  it('has room for lines that are longer than a part', () => {
    const writer = new LineWriter();
    const text = 'x'.repeat(5_000_000);
    writer.lines(Buffer.from(`{"a":"${text}"${BLANK_CHECK}`.repeat(2)), 2);
    expect(writer.take()).toHaveLength(2 * (text.length + 7 + BLANK_CHECK.length));
  });
});
