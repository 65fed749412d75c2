import type { JsonSchema } from '../../../catalog/model/index.js';
import { closed, type SharedSchemas } from '../../../catalog/route/index.js';

const oneOfTexts = (...texts: string[]): JsonSchema => ({ type: 'string', enum: texts });

const pointer: JsonSchema = {
  type: 'string',
  pattern: '^(?:/(?:[^~]|~[01])*)?$',
  description: 'RFC 6901 JSON pointer.',
};

/** A patch in its two forms: what `patch-document.ts` reads. */
export const PATCH_SCHEMAS = {
  PatchOperation: (schemas) => ({
    description:
      'One operation of RFC 6902. A path leads to an array element by its key where the array has one. Whole numbers beyond ±(2^53−1) are refused where they are written in digits.',
    oneOf: ['PatchRemoval', 'PatchValue', 'PatchMove'].map((name) => schemas.common(name)),
  }),
  PatchRemoval: () => closed({ op: oneOfTexts('remove'), path: pointer, value: {} }, ['op', 'path']),
  PatchValue: () =>
    closed({ op: oneOfTexts('add', 'replace', 'test'), path: pointer, value: {} }, ['op', 'path', 'value']),
  PatchMove: () =>
    closed({ op: oneOfTexts('move', 'copy'), path: pointer, from: pointer }, ['op', 'path', 'from']),
  Patch: (schemas) => ({
    description: 'A JSON patch: the operations, and which fields the elements of arrays are told apart by.',
    anyOf: [schemas.common('KeyedPatch'), { type: 'array', items: schemas.common('PatchOperation') }],
  }),
  KeyedPatch: (schemas) => ({
    ...closed(
      {
        patch: { type: 'array', items: schemas.common('PatchOperation'), maxItems: 10_000 },
        arrayPrimaryKeys: {
          type: 'object',
          description: 'By array the fields of its key; ␟ stands between the fields of a path.',
          additionalProperties: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
        },
        forceGenericPatch: { type: 'boolean' },
      },
      ['patch'],
    ),
    description: 'Patch operations, and the keys of the arrays that their paths lead through.',
  }),
} satisfies SharedSchemas;
