import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Followed } from '../../../src/catalog/compatibility/index.js';
import { Database } from '../../../src/catalog/store/index.js';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, encoded, expectRefusal } from '../aspect-api/support.js';
import { pagesOf, path, settled } from '../openapi/support.js';

/** What clients of the reference expect and the specification leaves open: it holds whichever of them is followed. */
describe.each<Followed>(['specification', 'reference'])('following the %s', (followed) => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start({ CATALOG_COMPATIBILITY: followed });
  });
  afterAll(() => catalog.stop());

  /** An aspect as it stands there, in either mode. */
  const valueOf = (urn: string, aspect: string): Promise<any> => catalog.read(urn, aspect);

  describe('edges', () => {
    const [from, to] = [dataset('forms.from'), dataset('forms.to')];
    const job = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,forms,PROD),job)';
    const end = (urn: string) => ({ entityType: urn.split(':')[2], urn });
    const held = {
      relationshipType: 'DownstreamOf',
      upstream: from,
      downstream: to,
      source: end(to),
      destination: end(from),
    };
    const made = {
      relationshipType: 'Produces',
      upstream: job,
      downstream: from,
      source: end(job),
      destination: end(from),
    };
    beforeAll(async () => {
      const written = await Promise.all([
        catalog.propose(to, 'upstreamLineage', { upstreams: [{ dataset: from, type: 'TRANSFORMED' }] }),
        catalog.propose(job, 'dataJobInputOutput', { inputDatasets: [], outputDatasets: [from] }),
      ]);
      expect(written.map(({ status }) => status)).toEqual([200, 200]);
    });
    const scroll = async (query: string, body: object): Promise<unknown[]> =>
      (await catalog.post(`/openapi/v3/lineage/scroll?${query}`, body)).body.results;

    it('of lineage are found at either end, with all four of their ends', async () => {
      expect(new Set(await scroll('', { urns: [from] }))).toEqual(new Set([held, made]));
      expect(await scroll('', { urns: [to] })).toEqual([held]);
      expect(await scroll('', { urns: [job] })).toEqual([made]);
    });

    it('of lineage are all of them where no entity is named', async () => {
      expect(new Set(await scroll('count=100', {}))).toEqual(new Set([held, made]));
      const pages = await pagesOf(catalog, '/openapi/v3/lineage/scroll?count=1', (url) =>
        catalog.post(url, {}),
      );
      expect(pages.map(({ results }) => results.length)).toEqual([1, 1]);
    });

    it('of lineage are those of a direction and of a type', async () => {
      expect(await scroll('direction=UPSTREAM', { urns: [from] })).toEqual([made]);
      expect(await scroll('direction=DOWNSTREAM', { urns: [from] })).toEqual([held]);
      expect(await scroll('relationshipTypes=Produces', { urns: [from] })).toEqual([made]);
    });

    it('are all there when they are asked for as incoming ones', async () => {
      const url = '/openapi/v3/relationship/scroll?direction=INCOMING&relationshipTypes=DownstreamOf';
      const { body } = await catalog.post(url, {});
      expect(body.results).toEqual([
        { relationshipType: 'DownstreamOf', source: end(to), destination: end(from) },
      ]);
    });
  });

  it('adds events by the path of an aspect, newest first, whatever createIfNotExists says', async () => {
    const urn = dataset('forms.profiled');
    await catalog.propose(urn, 'status', { removed: false });
    const at = path(urn, 'datasetProfile');
    for (const [timestampMillis, rowCount] of [
      [100, 1],
      [200, 2],
    ]) {
      const value = { timestampMillis, rowCount };
      const { status, body } = await catalog.post(`${at}?createIfNotExists=false&async=false`, { value });
      expect([status, body]).toEqual([
        200,
        { urn, datasetProfile: { value: expect.objectContaining({ timestampMillis, rowCount }) } },
      ]);
    }
    const rows = async (query: string): Promise<number> => {
      const { body } = await catalog.get(at + query);
      return (body.value ?? body.datasetProfile.value).rowCount;
    };
    expect([await rows(''), await rows('?version=150')]).toEqual([2, 1]);
  });

  it('answers an accepted write with its trace, which says what became of it', async () => {
    const urn = dataset('forms.traced');
    const items = [
      { urn, datasetProperties: { value: { name: 'traced' } }, status: { value: { removed: false } } },
    ];
    const accepted = await catalog.post('/openapi/v3/entity/dataset?async=true&systemMetadata=true', items);
    const trace = accepted.headers.get('traceparent')!.split('-')[1];
    const systemMetadata = { properties: { telemetryTraceId: trace } };
    expect(accepted.body).toEqual([
      {
        urn,
        datasetProperties: { value: expect.objectContaining({ name: 'traced' }), systemMetadata },
        status: { value: { removed: false }, systemMetadata },
      },
    ]);
    await settled(catalog, accepted);
    const { body } = await catalog.post(`/openapi/v1/trace/write/${trace}`, { [urn]: ['status'] });
    expect(body).toEqual({
      [urn]: {
        status: {
          success: true,
          primaryStorage: { writeStatus: 'ACTIVE_STATE' },
          searchStorage: { writeStatus: expect.stringMatching(/^(ACTIVE_STATE|PENDING)$/) },
        },
      },
    });
  });

  it('takes a version that none can have for a condition that does not hold', async () => {
    const urn = dataset('forms.conditional');
    const status = { value: { removed: false }, headers: { 'If-Version-Match': '-10000' } };
    const at = '/openapi/v3/entity/dataset';
    const refused = await catalog.post(`${at}?async=false`, [{ urn, status }]);
    expectRefusal(refused, 412, 'PRECONDITION_FAILED', '/0/status/headers/If-Version-Match');
    const accepted = await catalog.post(`${at}?async=true`, [{ urn, status }]);
    expect((await settled(catalog, accepted)).state).toBe('REJECTED');
    const trace = accepted.headers.get('traceparent')!.split('-')[1];
    const { body } = await catalog.post(`/openapi/v1/trace/write/${trace}`, { [urn]: ['status'] });
    expect(body[urn].status).toMatchObject({ success: false, primaryStorage: { writeStatus: 'ERROR' } });
  });

  it('keeps a list that an aspect must have when a patch takes its last element', async () => {
    const urn = dataset('forms.documented');
    const source = 'urn:li:dataHubAction:forms';
    const documentations = [
      {
        documentation: 'a text',
        attribution: { time: 1, actor: 'urn:li:corpuser:ann', source },
      },
    ];
    for (const patch of [
      {
        patch: [{ op: 'remove', path: `/documentations/${source}` }],
        arrayPrimaryKeys: { documentations: ['attribution␟source'] },
      },
      { patch: [{ op: 'remove', path: '/documentations' }] },
    ]) {
      await catalog.propose(urn, 'documentation', { documentations });
      const patched = await catalog.request('PATCH', path(urn, 'documentation'), { body: patch });
      expect([patched.status, await valueOf(urn, 'documentation')]).toEqual([200, { documentations: [] }]);
    }
  });

  describe('domains and their associations', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `urn:li:domain:forms-${name}`) as [
      string,
      string,
      string,
    ];
    const attributed = {
      domain: a,
      context: 'by a rule',
      attribution: { time: 1, actor: 'urn:li:corpuser:ann', source: 'urn:li:dataHubAction:forms' },
    };
    const urn = dataset('forms.in-domains');
    const write = (value: object) => catalog.propose(urn, 'domains', value);
    const both = async (domains: string[], domainAssociations: object[]): Promise<void> =>
      expect(await valueOf(urn, 'domains')).toEqual({
        domains,
        domainAssociations: domainAssociations.map(kept),
      });
    const kept = (association: any) => ({
      ...association,
      ...(association.attribution && { attribution: expect.objectContaining(association.attribution) }),
    });

    it('are kept alike, whichever is written, and keep where they come from', async () => {
      await write({ domains: [], domainAssociations: [attributed] });
      await both([a], [attributed]);
      await write({ domains: [a, b] });
      await both([a, b], [{ domain: b }, attributed]);
      await write({ domains: [a, b], domainAssociations: [attributed, { domain: c }] });
      await both([c, a], [{ domain: c }, attributed]);
      await write({ domains: [c] });
      await both([c], [{ domain: c }]);
    });

    it('cannot both be changed to different values', async () => {
      await write({ domains: [a], domainAssociations: [attributed] });
      const refused = await write({ domains: [b], domainAssociations: [{ domain: c }] });
      expectRefusal(refused, 422, 'RULE_VIOLATED');
      expect(refused.body.message).toContain('Cannot update both');
      await both([a], [attributed]);
      expect((await write({ domains: [b], domainAssociations: [{ domain: b }] })).status).toBe(200);
      await both([b], [{ domain: b }]);
    });

    it('are kept alike by patches and by GraphQL', async () => {
      await write({ domains: [a], domainAssociations: [attributed] });
      const patch = [{ op: 'add', path: `/domains/${b}`, value: b }];
      await catalog.request('PATCH', path(urn, 'domains'), { body: { patch } });
      await both([a, b], [{ domain: b }, attributed]);
      await catalog.propose(c, 'domainProperties', { name: 'forms-c' });
      const query = `mutation { setDomain(entityUrn: "${urn}", domainUrn: "${c}") }`;
      expect((await catalog.post('/api/graphql', { query })).body.data).toEqual({ setDomain: true });
      await both([c], [{ domain: c }]);
    });
  });

  it('counts the changes of an entity from 0.0.0, and a new name of a column as one', async () => {
    const urn = dataset('forms.changed');
    const column = (fieldPath: string, nativeDataType = 'int') => ({
      fieldPath,
      nativeDataType,
      type: { type: { 'com.linkedin.schema.NumberType': {} } },
      description: `a ${nativeDataType}`,
    });
    const columns = [
      [column('id')],
      [column('number'), column('size', 'bigint')],
      [column('number'), column('weight', 'decimal')],
    ];
    for (const fields of columns) {
      const schema = { schemaName: 's', platform: 'urn:li:dataPlatform:kafka', version: 0, hash: '', fields };
      const platformSchema = { 'com.linkedin.schema.KafkaSchema': { documentSchema: '' } };
      await catalog.propose(urn, 'schemaMetadata', { ...schema, platformSchema });
    }
    const seen = await Promise.all(
      ['/openapi/timeline/v1', '/openapi/v2/timeline/v1'].map(async (at) => {
        const query = 'categories=TECHNICAL_SCHEMA&startTime=-1&endTime=0';
        const { body } = await catalog.get(`${at}/${encoded(urn)}?${query}`);
        return body.map(({ semVer, changeEvents }: any) => [
          semVer,
          ...changeEvents.map(({ operation, parameters }: any) =>
            [operation, parameters.fieldPath, parameters.modificationCategory].filter(Boolean).join(' '),
          ),
        ]);
      }),
    );
    const expected = [
      ['0.0.0-computed', 'ADD id'],
      ['0.1.0-computed', 'MODIFY id RENAME', 'ADD size'],
      ['1.0.0-computed', 'REMOVE size', 'ADD weight'],
    ];
    expect(seen).toEqual([expected, expected]);
  });

  it('keeps so many versions of an aspect as its policy says', async () => {
    const urn = dataset('forms.kept');
    for (const name of ['a', 'b', 'c']) await catalog.propose(urn, 'datasetProperties', { name });
    const at = (version: number) => catalog.get(`${path(urn, 'datasetProperties')}?version=${version}`);
    expect((await at(2)).status).toBe(200);
    // Written and replaced so long ago that no reader of the change feed can ask for them.
    for (const table of ['aspect', 'aspect_history'])
      await catalog
        .provider(Database)
        .transaction((tx) =>
          tx.run(`UPDATE ${table} SET created_at = 1 WHERE aspect = 'datasetProperties'`, []),
        );
    const retention = { version: { maxVersions: 1 } };
    const policy = 'urn:li:dataHubRetention:(dataset,datasetProperties)';
    await catalog.propose(policy, 'dataHubRetentionConfig', { retention });
    const { status } = await catalog.post('/operations?action=applyRetention', {});
    expect([status, (await at(2)).status, (await at(0)).status]).toEqual([200, 404, 200]);
    expect(await valueOf(urn, 'datasetProperties')).toMatchObject({ name: 'c' });
  });

  it('knows the kind of an entity by its URN', async () => {
    const urn = 'urn:li:chart:(looker,forms)';
    await catalog.propose(urn, 'status', { removed: false });
    const at = `/openapi/v3/entity/generic/${encoded(urn)}`;
    expect((await catalog.get(`${at}?aspects=status`)).body).toEqual({
      urn,
      status: { value: { removed: false } },
    });
    expect((await catalog.request('HEAD', at)).status).toBe(204);
    expect((await catalog.get(`${at}/status`)).status).toBe(200);
    expect((await catalog.request('DELETE', at)).status).toBe(200);
    expect((await catalog.request('HEAD', at)).status).toBe(404);
    expectRefusal(await catalog.get('/openapi/v3/entity/generic/urn:li:mood:good'), 400, 'ENTITY_UNKNOWN');
  });
});
