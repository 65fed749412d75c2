import { describe, expect, it } from '@jest/globals';
import { Model } from '../../../catalog/model/index.js';
import { parseUrn } from '../../../catalog/urn/index.js';
import { ROUTES } from '../../../api-routes.js';
import { DOCUMENTS, OPENAPI_VERSIONS } from './document-list.js';
import { documentText } from '../serving/document-text.js';
import { buildDocument } from './documents.js';
import { Examples } from '../examples/examples.js';
import type { OpenapiDocument, Operation } from './openapi-types.js';
import { COMMON_SCHEMAS } from './common-schemas.js';
import { OPENAPI_30, openapi30 } from '../serving/openapi-30.js';
import { readSample } from '../examples/sample.js';
import { entityUrnSchema, knownUrnSchema, urnSchema } from './urn-schemas.js';

const model = Model.load();
const sample = await readSample();
const documents = new Map(
  DOCUMENTS.map((one) => [one.name, buildDocument(one, model, '1.2.3', ROUTES, sample)]),
);
const entities = [...model.entities.values()];
const pairs = entities.flatMap((entity) =>
  [...entity.aspects.values()].map((aspect) => [entity, aspect] as const),
);

function operations(document: OpenapiDocument): Operation[] {
  return Object.values(document.paths).flatMap((item) =>
    Object.entries(item).flatMap(([method, value]) => (method === 'parameters' ? [] : [value as Operation])),
  );
}

/** Every `$ref` of a document, with what it leads to. */
function references(document: OpenapiDocument): Array<[string, unknown]> {
  const found: Array<[string, unknown]> = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        if (key === '$ref' && typeof member === 'string') {
          const [, , kind, name] = member.split('/');
          found.push([member, document.components[kind!]?.[name!]]);
        } else visit(member);
      }
    }
  };
  visit(document);
  return found;
}

describe('OpenAPI documents', () => {
  it('hold every entity and every aspect, in both versions', () => {
    const paths = new Set([...documents.values()].flatMap((document) => Object.keys(document.paths)));
    for (const version of ['v2', 'v3']) {
      for (const [entity, aspect] of pairs) {
        expect(paths).toContain(`/openapi/${version}/entity/${entity.name}`);
        expect(paths).toContain(`/openapi/${version}/entity/${entity.name}/{urn}/${aspect.name}`);
      }
    }
  });

  it.each([...documents])(
    '%s refers only to what it has, and calls no two operations the same',
    (_, document) => {
      expect(references(document).filter(([, target]) => target === undefined)).toEqual([]);
      expect(
        references(openapi30(document, document.components['schemas']!) as OpenapiDocument).filter(
          ([, target]) => target === undefined,
        ),
      ).toEqual([]);
      const ids = operations(document).map((operation) => operation.operationId);
      expect(new Set(ids).size).toBe(ids.length);
    },
  );

  it.each([...documents])('%s has names that generators can tell apart', (_, { components }) => {
    const groups = ['schemas', 'parameters', 'responses'].flatMap((group) => Object.keys(components[group]!));
    // Some take all of them for types of one language, and its files for those of a disk that knows no case.
    expect(new Set(groups.map((name) => name.toLowerCase())).size).toBe(groups.length);
    expect(groups.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
  });

  it.each([...documents])(
    '%s keeps its own schemas apart from records of their names',
    (_, { components }) => {
      const common = (name: string) => ({ $ref: `#/components/schemas/${name}` });
      const known = Object.entries(COMMON_SCHEMAS).filter(([name]) => name in components['schemas']!);
      expect(known.length).toBeGreaterThan(0);
      for (const [name, make] of known) expect(components['schemas']![name]).toEqual(make({ common }));
    },
  );

  it.each([...documents])('%s names the bodies that it describes', (_, document) => {
    const unnamed = operations(document).flatMap(({ operationId, requestBody }) =>
      Object.values(requestBody?.content ?? {})
        .map(({ schema }) => schema.items ?? schema)
        .filter(({ $ref }) => $ref === undefined)
        .map(() => operationId),
    );
    expect(unnamed).toEqual([]);
  });

  it.each([...documents])('%s says what each operation does, and what may go wrong', (_, document) => {
    for (const { responses, security, description } of operations(document)) {
      expect(description).toMatch(/\w{3}/);
      const statuses = Object.keys(responses);
      if (!security) expect(statuses).toEqual(expect.arrayContaining(['401', '403', '503']));
      expect(statuses.some((status) => status.startsWith('2'))).toBe(true);
    }
  });

  it.each(DOCUMENTS)('$name is written piece by piece as it would be at once', (entry) => {
    const document = documents.get(entry.name)!;
    const whole = {
      '3.1': document,
      '3.0': {
        ...(openapi30(document, document.components['schemas']!) as OpenapiDocument),
        openapi: OPENAPI_30,
      },
    };
    for (const version of OPENAPI_VERSIONS) {
      const pieces = [...documentText(entry, version, model, '1.2.3', ROUTES, sample)];
      // A schema of thousands of urns is as long as it is; nothing else comes near.
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(200_000);
      expect(pieces.join('') === JSON.stringify(whole[version])).toBe(true);
    }
  });

  it('has patterns that are regular expressions', () => {
    const wrong: string[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, member] of Object.entries(value)) {
        if (key === 'pattern' && typeof member === 'string') {
          try {
            new RegExp(member, 'u');
          } catch {
            wrong.push(member);
          }
        } else visit(member);
      }
    };
    for (const document of documents.values()) visit(document);
    expect([...new Set(wrong)]).toEqual([]);
  });

  it('has examples of the sample for each entity and aspect', () => {
    const missing = pairs.filter(([{ name }, aspect]) => !sample.get(name)?.aspects.has(aspect.name));
    const lines = missing.map(([{ name }, aspect]) => `examples/every-aspect.jsonl: ${name} ${aspect.name}`);
    expect(lines).toEqual([]);
  });

  it('has examples that the catalog would take', () => {
    const examples = new Examples(model, sample);
    for (const [entity, aspect] of pairs) {
      const urn = examples.urn(entity);
      const { key } = model.keyFromUrn(parseUrn(urn));
      const value = structuredClone(examples.value(entity, aspect));
      expect({ aspect: aspect.name, wrong: model.validate(aspect, value) }).toEqual({
        aspect: aspect.name,
        wrong: [],
      });
      if (aspect === entity.key) expect(value).toMatchObject(key);
      expect(urn).toMatch(new RegExp(entityUrnSchema(entity, model)['pattern'] as string, 'u'));
      expect(urn).toMatch(new RegExp(knownUrnSchema(model)['pattern'] as string, 'u'));
      expect(urn).toMatch(new RegExp(urnSchema()['pattern'] as string, 'u'));
    }
  });
});
