import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  MAX_URN_BYTES,
  UrnError,
  canonicalUrn,
  columnIn,
  columnUrn,
  parseUrn,
  sameNeutralName,
  simpleColumnPath,
  tryParseUrn,
} from './urn.js';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:kafka,SampleKafkaDataset,PROD)';

function reasonOf(text: string): string {
  try {
    parseUrn(text);
  } catch (error) {
    if (error instanceof UrnError) return error.reason;
    throw error;
  }
  return 'none';
}

describe('parseUrn', () => {
  it.each([
    ['urn:li:corpuser:jdoe', 'corpuser', ['jdoe']],
    ['urn:li:glossaryTerm:Classification.Sensitive', 'glossaryTerm', ['Classification.Sensitive']],
    ['urn:li:tag:Needs Documentation', 'tag', ['Needs Documentation']],
    ['urn:li:chart:(looker,dash.1)', 'chart', ['looker', 'dash.1']],
    [DATASET, 'dataset', ['urn:li:dataPlatform:kafka', 'SampleKafkaDataset', 'PROD']],
    [`urn:li:schemaField:(${DATASET},a.b[type=(x,y)])`, 'schemaField', [DATASET, 'a.b[type=(x,y)]']],
    ['urn:li:tag:smile :)', 'tag', ['smile :)']],
    ['urn:li:tag:(a) or (b)', 'tag', ['(a) or (b)']],
    ['urn:li:tag:()', 'tag', ['']],
    ['urn:li:tag:a,b', 'tag', ['a,b']],
    ['urn:li:tag:größe 😀', 'tag', ['größe 😀']],
  ])('reads %s', (text, type, parts) => {
    const urn = parseUrn(text);
    expect({ text: urn.text, type: urn.type, parts: urn.parts }).toEqual({ text, type, parts });
    expect(`urn:li:${urn.type}:${urn.id}`).toBe(text);
  });

  it.each([
    ['', 'empty'],
    ['dataset', 'prefix'],
    ['URN:li:tag:a', 'prefix'],
    ['urn:li:', 'type'],
    ['urn:li:a b:c', 'type'],
    ['urn:li:tag', 'id'],
    ['urn:li:tag:', 'id'],
    [' urn:li:tag:a', 'blank'],
    ['urn:li:tag:a ', 'blank'],
    ['urn:li:tag:a\u00a0', 'blank'],
    ['urn:li:tag:a\nb', 'control-character'],
    ['urn:li:tag:a\u0085b', 'control-character'],
    ['urn:li:tag:\ud800', 'lone-surrogate'],
    ['urn:li:tag:\udc00\ud800', 'lone-surrogate'],
    ['urn:li:chart:(looker,a', 'parentheses'],
    ['urn:li:chart:(looker,a))', 'parentheses'],
    [`urn:li:tag:${'a'.repeat(MAX_URN_BYTES)}`, 'too-long'],
    [`urn:li:tag:${'€'.repeat(168)}`, 'too-long'],
  ])('refuses %j: %s', (text, reason) => {
    expect(reasonOf(text)).toBe(reason);
    expect(tryParseUrn(text)).toBeUndefined();
  });

  it('counts bytes, not characters', () => {
    const prefix = 'urn:li:tag:';
    for (const filler of ['a', 'é', '€', '😀']) {
      const size = Buffer.byteLength(filler);
      const room = Math.floor((MAX_URN_BYTES - prefix.length) / size);
      expect(reasonOf(prefix + filler.repeat(room))).toBe('none');
      expect(reasonOf(prefix + filler.repeat(room + 1))).toBe('too-long');
    }
  });

  it('says where a bad character stands', () => {
    expect(() => parseUrn('urn:li:tag:a\u0007b')).toThrow('control character U+0007 at character 12');
  });

  it('answers any text with a URN or a UrnError, and never changes it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (id) => {
        const text = `urn:li:tag:${id}`;
        const urn = tryParseUrn(text);
        if (urn) expect(urn).toMatchObject({ text, id });
        else expect(reasonOf(text)).not.toBe('none');
      }),
    );
  });

  it('reads back the parts of any tuple it was given, nested tuples included', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9._:-]{1,8}$/);
    const nested = fc.letrec<{ part: string }>((tie) => ({
      part: fc.oneof(
        { maxDepth: 3 },
        word,
        fc.array(tie('part'), { minLength: 1, maxLength: 3 }).map((parts) => `urn:li:x:(${parts.join(',')})`),
      ),
    })).part;
    fc.assert(
      fc.property(fc.array(nested, { minLength: 1, maxLength: 4 }), (parts) => {
        const text = `urn:li:dataset:(${parts.join(',')})`;
        fc.pre(text.length <= MAX_URN_BYTES);
        expect(parseUrn(text).parts).toEqual(parts);
      }),
    );
  });

  it('takes time in proportion to the text', () => {
    expect(reasonOf(`urn:li:dataset:${'('.repeat(490)}`)).toBe('parentheses');
    expect(reasonOf(`urn:li:dataset:${'('.repeat(1_000_000)}`)).toBe('too-long');
  });
});

describe('vendor words', () => {
  it('do not matter for data types and entity types', () => {
    expect(sameNeutralName('urn:li:dataType:platform.string', 'urn:li:dataType:acme.string')).toBe(true);
    expect(sameNeutralName('urn:li:entityType:platform.dataset', 'urn:li:entityType:acme.dataset')).toBe(
      true,
    );
    expect(sameNeutralName('urn:li:dataType:platform.string', 'urn:li:dataType:platform.number')).toBe(false);
    expect(sameNeutralName('urn:li:dataType:platform.string', 'urn:li:entityType:platform.string')).toBe(
      false,
    );
  });

  it('matter everywhere else', () => {
    expect(sameNeutralName('urn:li:tag:platform.string', 'urn:li:tag:acme.string')).toBe(false);
    expect(sameNeutralName('urn:li:tag:a', 'urn:li:tag:A')).toBe(false);
    expect(sameNeutralName('urn:li:tag:a', 'urn:li:tag:a')).toBe(true);
  });

  it('are replaced by the one of the service', () => {
    expect(canonicalUrn('urn:li:dataType:acme.string', 'platform')).toBe('urn:li:dataType:platform.string');
    expect(canonicalUrn(parseUrn('urn:li:entityType:acme.a.b'), 'platform')).toBe(
      'urn:li:entityType:platform.a.b',
    );
    expect(canonicalUrn('urn:li:dataType:string', 'platform')).toBe('urn:li:dataType:string');
    expect(canonicalUrn(DATASET, 'platform')).toBe(DATASET);
  });
});

describe('columns', () => {
  it.each([
    ['a.b', 'a.b'],
    ['price (EUR)', 'price %28EUR%29'],
    ['last, first', 'last%2C first'],
    ['100% of \u241f', '100% of %E2%90%9F'],
    ['[version=2.0].[type=int].x', '[version=2.0].[type=int].x'],
  ])('are named by the path %s', (path, part) => {
    const urn = `urn:li:schemaField:(${DATASET},${part})`;
    expect(columnUrn(DATASET, path)).toBe(urn);
    expect(columnIn(urn)).toEqual({ parent: DATASET, path });
  });

  it.each([
    ['[version=2.0].[type=struct].[type=struct].buyer.[type=string].city', 'buyer.city'],
    ['[version=2.0].[key=True].[type=com.example.Id].id', 'id'],
    ['[version=2.0].[type=array].[type=string].tags[0]', 'tags[0]'],
    ['[type=string].odd', '[type=string].odd'],
    ['a.b', 'a.b'],
  ])('have the simple path of %s', (path, simple) => {
    expect(simpleColumnPath(path)).toBe(simple);
  });

  it('are found by small letters and by signs that are not encoded', () => {
    const path = (part: string) => columnIn(`urn:li:schemaField:(${DATASET},${part})`)?.path;
    expect(path('last%2c first')).toBe('last, first');
    expect(path('price (EUR)')).toBe('price (EUR)');
    expect(columnIn(DATASET)).toBeUndefined();
  });
});
