import { describe, expect, it } from '@jest/globals';
import { openapi30 } from './openapi-30.js';

const schemas = { Tag: { type: 'object' }, Name: { type: 'string' } };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const converted = (value: unknown) => openapi30(value, schemas);

describe('OpenAPI 3.0 of 3.1', () => {
  it('marks what may be null, always beside a type', () => {
    expect(converted({ type: ['string', 'null'] })).toEqual({ type: 'string', nullable: true });
    expect(converted({ anyOf: [ref('Name'), { type: 'null' }] })).toEqual({
      type: 'string',
      nullable: true,
      allOf: [ref('Name')],
    });
    expect(converted({ anyOf: [ref('Tag'), { type: 'integer' }, { type: 'null' }] })).toEqual({
      anyOf: [{ type: 'object', nullable: true, allOf: [ref('Tag')] }, { type: 'integer' }],
    });
    expect(converted({ description: 'x', anyOf: [{ type: 'integer' }, { type: 'null' }] })).toEqual({
      description: 'x',
      type: 'integer',
      nullable: true,
    });
  });

  it('takes what patterns allow for members of any name', () => {
    const schema = { type: 'object', patternProperties: { '^a': ref('Tag') }, additionalProperties: false };
    expect(converted(schema)).toEqual({ type: 'object', additionalProperties: { anyOf: [ref('Tag')] } });
    expect(converted({ type: 'object', propertyNames: { enum: ['a'] } })).toEqual({ type: 'object' });
  });

  it('leaves data and members with the names of keywords as they are', () => {
    const members = { const: { const: 1 }, default: { type: ['string', 'null'] }, anyOf: ref('Tag') };
    expect(converted({ properties: members, example: { const: 1 } })).toEqual({
      properties: { const: { enum: [1] }, default: { type: 'string', nullable: true }, anyOf: ref('Tag') },
      example: { const: 1 },
    });
  });

  it('puts what stands beside a reference around it', () => {
    expect(converted({ ...ref('Tag'), description: 'x' })).toEqual({ description: 'x', allOf: [ref('Tag')] });
  });
});
