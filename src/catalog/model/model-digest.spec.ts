import { describe, expect, it } from '@jest/globals';
import { modelDigest } from './model-digest.js';
import { Model, type ModelDocument } from './index.js';

const KEY = {
  file: 'pot-key.aspect.yaml',
  content: {
    aspect: 'potKey',
    'x-key': 'pot',
    description: 'Identity of a pot.',
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' } },
  },
};
const NOTE = {
  file: 'note.aspect.yaml',
  content: {
    aspect: 'note',
    description: 'A word on it.',
    type: 'object',
    properties: { text: { type: 'string' } },
  },
};
const POT = {
  file: 'pot.entity.yaml',
  content: {
    entity: 'pot',
    description: 'A teapot.',
    category: 'core',
    keyAspect: 'potKey',
    aspects: ['note'],
  },
};

/** Keeps the note in use. */
const CUP = [KEY, POT].map(({ file, content }) => ({
  file: `cup-${file}`,
  content: JSON.parse(JSON.stringify(content).replaceAll('pot', 'cup')) as unknown,
}));

const digestOf = (...documents: ModelDocument[]) => modelDigest(Model.fromDocuments([...documents, ...CUP]));
const changed = <T extends ModelDocument>({ file, content }: T, change: object) => ({
  file,
  content: { ...(content as object), ...change },
});

describe('the digest of a model', () => {
  it('is the same for the same model', () => {
    expect(digestOf(KEY, NOTE, POT)).toBe(digestOf(KEY, NOTE, POT));
  });

  it.each([
    ['the schema of an aspect', [KEY, changed(NOTE, { required: ['text'] }), POT]],
    [
      'the search fields of an aspect',
      [KEY, changed(NOTE, { 'x-searchable': [{ path: 'text', kind: 'TEXT' }] }), POT],
    ],
    ['which aspects an entity has', [KEY, NOTE, changed(POT, { aspects: [] })]],
    ['the description of an entity', [KEY, NOTE, changed(POT, { description: 'A pot for tea.' })]],
    ['the category of an entity', [KEY, NOTE, changed(POT, { category: 'internal' })]],
  ])('changes with %s', (_, documents) => {
    expect(digestOf(...documents)).not.toBe(digestOf(KEY, NOTE, POT));
  });
});
