import { describe, expect, it } from '@jest/globals';
import { CatalogError } from '../../catalog/errors/index.js';
import { Model } from '../../catalog/model/index.js';
import { EventLoopRounds } from '../../../test/harness/event-loop-rounds.js';
import { ProposalParser } from './proposal-parser.js';

const parser = new ProposalParser(Model.load());
const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)';
const json = (value: unknown, contentType = 'application/json') => ({
  value: JSON.stringify(value),
  contentType,
});

const good = {
  entityType: 'dataset',
  entityUrn: ORDERS,
  changeType: 'UPSERT',
  aspectName: 'status',
  aspect: json({ removed: false }),
};
const parse = (changes: object = {}) => parser.parse({ ...good, ...changes }, '/proposals/3');

describe('ProposalParser', () => {
  it('resolves names and reads the value', () => {
    expect(parse()).toMatchObject({
      entity: { name: 'dataset' },
      urn: { text: ORDERS, type: 'dataset' },
      aspect: { name: 'status' },
      changeType: 'UPSERT',
      value: { removed: false },
      systemMetadata: {},
      pointer: '/proposals/3',
      valuePointer: '/aspect/value',
    });
  });

  it('takes names whatever their case, and null for absent', () => {
    const parsed = parse({ entityType: 'DATASET', aspectName: 'Status', auditHeader: null, headers: null });
    expect(parsed).toMatchObject({ entity: { name: 'dataset' }, aspect: { name: 'status' } });
  });

  it('takes the value itself as json', () => {
    const parsed = parse({ aspect: { json: { removed: true } } });
    expect(parsed).toMatchObject({ value: { removed: true }, valuePointer: '/aspect/json' });
  });

  it('takes the URN from the key aspect', () => {
    const key = { platform: 'urn:li:dataPlatform:kafka', name: 'orders', origin: 'PROD' };
    expect(parse({ entityUrn: undefined, entityKeyAspect: json(key) }).urn.text).toBe(ORDERS);
    expect(parse({ entityKeyAspect: json(key) }).urn.text).toBe(ORDERS);
  });

  it('keeps a URN as it came, a doubly escaped one included', () => {
    const entityUrn = 'urn:li:tag:z\\u00fc';
    expect(parse({ entityType: 'tag', entityUrn }).urn.text).toBe(entityUrn);
  });

  it.each([
    ['an object', { runId: 'r1', lastObserved: 5, properties: { a: 'b' } }],
    ['JSON text', '{"runId":"r1","lastObserved":5,"properties":{"a":"b"}}'],
    [
      'what was read before',
      { runId: 'r1', lastObserved: 5, properties: { a: 'b' }, version: '7', aspectCreated: {} },
    ],
  ])('reads system metadata that is %s', (_, systemMetadata) => {
    expect(parse({ systemMetadata }).systemMetadata).toEqual({
      runId: 'r1',
      lastObserved: 5,
      properties: { a: 'b' },
    });
  });

  it.each([{}, '{}', '', null, undefined])('reads blank system metadata %j', (systemMetadata) => {
    expect(parse({ systemMetadata }).systemMetadata).toEqual({});
  });

  it('reads conditions from headers, in whatever case', () => {
    const pointer = '/headers/If-Version-Match';
    const conditions = [{ kind: 'version', version: 1, pointer }];
    expect(parse({ headers: { 'if-Version-Match': '1' } }).conditions).toEqual(conditions);
  });

  it('leaves a patch to the write', () => {
    const patch = { patch: [{ op: 'add', path: '/tags/x', value: {} }] };
    const changes = { changeType: 'PATCH', aspectName: 'globalTags' };
    expect(parse({ ...changes, aspect: json(patch, 'application/json-patch+json') }).value).toEqual(patch);
    expect(parse({ ...changes, aspect: json(patch) }).value).toEqual(patch);
  });

  it('needs no value to delete, and looks at none', () => {
    expect(parse({ changeType: 'DELETE', aspect: undefined })).not.toHaveProperty('value');
    expect(parse({ changeType: 'DELETE' })).not.toHaveProperty('value');
    expect(parse({ changeType: 'DELETE', aspectName: 'datasetKey' }).aspect.keyOf).toBe('dataset');
  });

  it.each<[string, object, string, string]>([
    ['an unknown field', { aspects: [] }, 'PROPOSAL_MALFORMED', '/aspects'],
    ['no entity type', { entityType: undefined }, 'PROPOSAL_MALFORMED', '/entityType'],
    ['an unknown entity type', { entityType: 'table' }, 'ENTITY_UNKNOWN', '/entityType'],
    ['neither URN nor key', { entityUrn: undefined }, 'PROPOSAL_MALFORMED', ''],
    ['no URN', { entityUrn: 'orders' }, 'URN_MALFORMED', '/entityUrn'],
    ['a URN that is no text', { entityUrn: 5 }, 'PROPOSAL_MALFORMED', '/entityUrn'],
    ['the URN of another type', { entityUrn: 'urn:li:tag:x' }, 'PROPOSAL_MALFORMED', '/entityUrn'],
    ['a URN with too few parts', { entityUrn: 'urn:li:dataset:(a,b)' }, 'URN_MALFORMED', '/entityUrn'],
    [
      'a URN with an unknown environment',
      { entityUrn: 'urn:li:dataset:(urn:li:dataPlatform:kafka,orders,MARS)' },
      'URN_MALFORMED',
      '/entityUrn',
    ],
    [
      'a key that contradicts the URN',
      { entityKeyAspect: json({ platform: 'urn:li:dataPlatform:kafka', name: 'other', origin: 'PROD' }) },
      'PROPOSAL_MALFORMED',
      '/entityKeyAspect',
    ],
    [
      'an incomplete key',
      { entityKeyAspect: json({ name: 'x' }) },
      'URN_MALFORMED',
      '/entityKeyAspect/value',
    ],
    ['no change type', { changeType: undefined }, 'PROPOSAL_MALFORMED', '/changeType'],
    ['an unknown change type', { changeType: 'UPDATES' }, 'PROPOSAL_MALFORMED', '/changeType'],
    ['no aspect name', { aspectName: undefined }, 'PROPOSAL_MALFORMED', '/aspectName'],
    ['an unknown aspect', { aspectName: 'statuses' }, 'ASPECT_UNKNOWN', '/aspectName'],
    ['an aspect of another entity', { aspectName: 'tagProperties' }, 'ASPECT_UNKNOWN', '/aspectName'],
    [
      'a deletion of nothing in particular',
      { changeType: 'DELETE', aspectName: null },
      'PROPOSAL_MALFORMED',
      '/aspectName',
    ],
    [
      'a patch of a time series',
      { aspectName: 'datasetProfile', changeType: 'PATCH' },
      'PROPOSAL_MALFORMED',
      '/changeType',
    ],
    ['no value', { aspect: undefined }, 'PROPOSAL_MALFORMED', '/aspect'],
    ['a value that is no object', { aspect: '{}' }, 'PROPOSAL_MALFORMED', '/aspect'],
    ['a value that is no text', { aspect: { value: {} } }, 'PROPOSAL_MALFORMED', '/aspect/value'],
    ['a value that is no JSON', { aspect: { value: '{' } }, 'JSON_MALFORMED', '/aspect/value'],
    ['both value and json', { aspect: { ...json({}), json: {} } }, 'PROPOSAL_MALFORMED', '/aspect/json'],
    ['an unknown field of the value', { aspect: { ...json({}), x: 1 } }, 'PROPOSAL_MALFORMED', '/aspect/x'],
    ['another content type', { aspect: json({}, 'avro') }, 'MEDIA_TYPE_UNSUPPORTED', '/aspect/contentType'],
    [
      'a patch type without a patch',
      { aspect: json({}, 'application/json-patch+json') },
      'MEDIA_TYPE_UNSUPPORTED',
      '/aspect/contentType',
    ],
    ['system metadata that is a list', { systemMetadata: [] }, 'PROPOSAL_MALFORMED', '/systemMetadata'],
    ['system metadata that is no JSON', { systemMetadata: '{' }, 'JSON_MALFORMED', '/systemMetadata'],
    [
      'unknown system metadata',
      { systemMetadata: { run: 'x' } },
      'PROPOSAL_MALFORMED',
      '/systemMetadata/run',
    ],
    [
      'a run id that fits no key',
      { systemMetadata: { runId: 'ü'.repeat(257) } },
      'PROPOSAL_MALFORMED',
      '/systemMetadata/runId',
    ],
    [
      'a run id that is no text',
      { systemMetadata: { runId: 5 } },
      'PROPOSAL_MALFORMED',
      '/systemMetadata/runId',
    ],
    ['a header that is no text', { headers: { a: 1 } }, 'PROPOSAL_MALFORMED', '/headers/a'],
  ])('refuses %s', (_, changes, code, pointer) => {
    let thrown: unknown;
    try {
      parse(changes);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(CatalogError);
    expect(thrown).toMatchObject({ code });
    expect((thrown as CatalogError).errors[0]?.pointer).toBe(`/proposals/3${pointer}`);
  });

  it.each([undefined, null, [], 'x'])('refuses %j as a proposal', (raw) => {
    expect(() => parser.parse(raw, '/proposal')).toThrow(
      expect.objectContaining({
        code: 'PROPOSAL_MALFORMED',
        errors: [expect.objectContaining({ pointer: '/proposal' })],
      }),
    );
  });

  describe('in turns', () => {
    const large = (end: string) => ({
      ...good,
      aspect: { ...json({}), value: `{"removed":false,"x":[${'"y",'.repeat(2 ** 18)}1]${end}` },
    });
    const inTurns = async (raw: unknown) => parser.parseInTurns(raw, '/proposals/3');

    it('reads a small proposal at once', () => {
      expect(parser.parseInTurns(good, '/proposals/3')).toEqual(parse());
    });

    it('reads a large one as it would at once, and lets others go on in between', async () => {
      const rounds = new EventLoopRounds();
      const parsed = await inTurns(large('}'));
      rounds.stop();
      expect(rounds.current).toBeGreaterThan(2);
      expect(parsed).toEqual(parser.parse(large('}'), '/proposals/3'));
    });

    it('refuses a large one with the same words and the same pointer', async () => {
      for (const raw of [large(''), large(',"x":1}'), { ...large('}'), entityType: 'nothing' }]) {
        const refused = await inTurns(raw).catch((error: unknown) => error as CatalogError);
        expect(refused).toBeInstanceOf(CatalogError);
        expect(told(refused as CatalogError)).toEqual(told(caught(() => parser.parse(raw, '/proposals/3'))));
      }
    });
  });
});

const told = ({ code, message, errors }: CatalogError) => ({ code, message, errors });

function caught(work: () => unknown): CatalogError {
  try {
    work();
  } catch (error) {
    if (error instanceof CatalogError) return error;
  }
  throw new Error('nothing was refused');
}
