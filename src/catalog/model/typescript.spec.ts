import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Model } from './model.js';
import { generateTypes } from './typescript.js';

const document = (content: unknown) => ({ file: 'test', content });

describe('generateTypes', () => {
  it('writes what is checked in', () => {
    const checkedIn = readFileSync(new URL('./generated/aspects.ts', import.meta.url), 'utf8');
    expect(generateTypes(Model.load())).toBe(checkedIn);
  });

  it('knows optional and defaulted fields, references, maps and unions', () => {
    const model = Model.fromDocuments([
      document({
        'a.Colour': { type: 'string', enum: ['RED', 'BLUE'] },
        'a.Empty': { type: 'object', additionalProperties: false },
      }),
      document({ entity: 'thing', description: 'Thing.', keyAspect: 'thingKey' }),
      document({
        aspect: 'thingKey',
        record: 'a.ThingKey',
        'x-key': 'thing',
        description: 'Identity of a thing.',
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string', description: 'The id.' },
          colour: { $ref: 'a.Colour', default: 'RED' },
          'odd-name': { type: 'boolean', deprecated: true },
          counts: { type: 'object', additionalProperties: { type: 'array', items: { type: 'integer' } } },
          value: { 'x-union': ['urn', 'a.Empty'] },
        },
      }),
    ]);
    const text = generateTypes(model);
    expect(text.slice(text.indexOf('export type Colour'))).toBe(
      `export type Colour = 'RED' | 'BLUE';

export type Empty = Record<string, never>;

/** Identity of a thing. */
export interface ThingKey {
  /** The id. */
  id: string;
  colour: Colour;
  /** @deprecated */
  'odd-name'?: boolean;
  counts?: Record<string, Array<number>>;
  value?: { string: string } | { [record: \`\${string}a.Empty\`]: Empty };
}

/** The type of each aspect's value, by the name of the aspect. */
export interface AspectValues {
  thingKey: ThingKey;
}
`,
    );
  });

  it('refuses two records of one name', () => {
    const model = Model.fromDocuments([
      document({ 'a.Same': { type: 'string', enum: ['X'] }, 'b.Same': { type: 'string', enum: ['Y'] } }),
    ]);
    expect(() => generateTypes(model)).toThrow('a.Same and b.Same would both be the type Same');
  });
});
