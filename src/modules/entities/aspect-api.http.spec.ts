import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Global, Injectable, Module, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CatalogStore, EDITOR } from '../../../test/harness/catalog-store.js';
import { Model } from '../../catalog/model/index.js';
import { RecordNamespace } from '../../catalog/restli/index.js';
import { Database } from '../../catalog/store/index.js';
import { createApplication } from '../../http/index.js';
import { IngestAspectActions, IngestEntityActions } from '../ingest/ingest.actions.js';
import { IngestService } from '../ingest/ingest.service.js';
import { ProposalParser } from '../ingest/proposal-parser.js';
import { SnapshotParser } from '../ingest/snapshot.js';
import { RelationshipsModule } from '../relationships/index.js';
import { TimeseriesModule } from '../timeseries/index.js';
import { EntitiesModule } from './index.js';

const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:kafka,shop/orders,PROD)';
const encode = (urn: string) => encodeURIComponent(urn).replace(/[()]/g, (c) => (c === '(' ? '%28' : '%29'));
const V2 = { 'x-restli-protocol-version': '2.0.0' };

@Injectable()
class EverybodyIsEditor implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    context.switchToHttp().getRequest<{ principal: unknown }>().principal = EDITOR;
    return true;
  }
}

describe('the aspect API over HTTP', () => {
  let store: CatalogStore;
  let application: NestFastifyApplication;

  beforeAll(async () => {
    store = await CatalogStore.open();
    @Global()
    @Module({
      providers: [
        { provide: Database, useValue: store.database },
        { provide: Model, useValue: store.model },
        { provide: RecordNamespace, useValue: new RecordNamespace('com.linkedin') },
        { provide: IngestService, useValue: store.ingest },
        { provide: APP_GUARD, useClass: EverybodyIsEditor },
        ProposalParser,
        SnapshotParser,
        IngestAspectActions,
        IngestEntityActions,
      ],
      exports: [Database, Model, RecordNamespace],
    })
    class StoreModule {}
    @Module({ imports: [StoreModule, EntitiesModule, RelationshipsModule, TimeseriesModule] })
    class ApiModule {}
    const settings = {
      auth: 'on',
      bodyLimit: 1 << 24,
      logLevel: 'silent',
      recordNamespace: 'com.linkedin',
    } as const;
    application = await createApplication(ApiModule, settings);
    await application.init();
    await application.getHttpAdapter().getInstance().ready();
  });
  afterAll(async () => {
    await application.close();
    await store.close();
  });

  async function call(
    method: 'GET' | 'POST',
    url: string,
    payload?: object,
    headers: Record<string, string> = V2,
  ) {
    const answer = await application.inject({ method, url, headers, ...(payload && { payload }) });
    const json = answer.body === '' ? undefined : answer.json();
    return { status: answer.statusCode, type: answer.headers['content-type'], body: answer.body, json };
  }
  const proposal = (aspectName: string, value: unknown, changes: object = {}) => ({
    entityType: 'dataset',
    entityUrn: ORDERS,
    changeType: 'UPSERT',
    aspectName,
    aspect: { value: JSON.stringify(value), contentType: 'application/json' },
    ...changes,
  });

  it('writes a proposal, with and without a slash at the end of the path', async () => {
    for (const path of ['/aspects?action=ingestProposal', '/aspects/?action=ingestProposal']) {
      const answer = await call('POST', path, {
        proposal: proposal('status', { removed: false }),
        async: 'false',
      });
      expect(answer).toMatchObject({ status: 200, json: { value: ORDERS } });
    }
  });

  it('writes a batch, or nothing of it', async () => {
    const owner = { owner: 'urn:li:corpuser:ann', type: 'DATAOWNER' };
    const good = [proposal('ownership', { owners: [owner] }), proposal('status', { removed: false })];
    const answer = await call('POST', '/aspects?action=ingestProposalBatch', {
      proposals: good,
      async: false,
    });
    expect(answer).toMatchObject({ status: 200, json: { value: 'success' } });
    const bad = [proposal('globalTags', { tags: [] }), proposal('nothing', {})];
    const refused = await call('POST', '/aspects?action=ingestProposalBatch', { proposals: bad });
    expect(refused).toMatchObject({
      status: 400,
      json: { code: 'ASPECT_UNKNOWN', errors: [{ pointer: '/proposals/1/aspectName' }] },
    });
    expect((await call('GET', `/aspects/${encode(ORDERS)}?aspect=globalTags`)).status).toBe(404);
  });

  it('writes snapshots, and answers nothing', async () => {
    const snapshot = { urn: 'urn:li:tag:s', aspects: [{ 'com.linkedin.tag.TagProperties': { name: 's' } }] };
    const entity = { value: { 'com.linkedin.metadata.snapshot.TagSnapshot': snapshot } };
    expect(await call('POST', '/entities?action=ingest', { entity }, {})).toMatchObject({
      status: 200,
      body: '',
    });
    const read = await call('GET', '/entities/urn%3Ali%3Atag%3As', undefined, {});
    const aspects = read.json.value['com.linkedin.metadata.snapshot.TagSnapshot'].aspects;
    expect(aspects).toContainEqual(snapshot.aspects[0]);
  });

  it('points into the value of an aspect that is refused', async () => {
    const answer = await call('POST', '/aspects?action=ingestProposal', {
      proposal: proposal('status', { removed: 5 }),
    });
    expect(answer).toMatchObject({
      status: 422,
      json: { errors: [{ pointer: '/proposal/aspect/value/removed' }] },
    });
  });

  it('reads entities, whether or not parentheses are encoded', async () => {
    for (const urn of [encode(ORDERS), ORDERS.replace('/', '%2F')]) {
      const answer = await call('GET', `/entitiesV2/${urn}?aspects=List(status)`);
      expect(answer).toMatchObject({ status: 200, json: { urn: ORDERS, entityName: 'dataset' } });
      expect(answer.type).toContain('application/json');
      expect(Object.keys(answer.json.aspects).sort()).toEqual(['datasetKey', 'status']);
    }
    expect(Object.keys((await call('GET', `/entitiesV2/${encode(ORDERS)}`)).json.aspects)).toContain(
      'ownership',
    );
    const batch = await call('GET', `/entitiesV2?ids=List(${encode(ORDERS)},urn%3Ali%3Atag%3Anone)`);
    expect(batch.json).toMatchObject({
      results: { [ORDERS]: { urn: ORDERS } },
      errors: { 'urn:li:tag:none': { status: 404 } },
    });
    expect((await call('GET', '/entitiesV2/urn%3Ali%3Atag%3Anone')).status).toBe(404);
  });

  it('reads versions of an aspect', async () => {
    const read = (query: string) => call('GET', `/aspects/${encode(ORDERS)}?${query}`, undefined, {});
    const status = { 'com.linkedin.common.Status': { removed: false } };
    expect(await read('aspect=status&version=0')).toMatchObject({
      status: 200,
      json: { version: 0, aspect: status },
    });
    expect(await read('aspect=status&version=1')).toMatchObject({
      status: 200,
      json: { version: 1, aspect: status },
    });
    expect(await read('aspect=status&version=7')).toMatchObject({
      status: 404,
      json: { code: 'VERSION_NOT_FOUND' },
    });
    expect((await read('aspect=datasetKey')).json.aspect).toHaveProperty(
      ['com.linkedin.metadata.key.DatasetKey', 'name'],
      'shop/orders',
    );
    for (const version of ['-1', 'NaN', '1e400', '99999999999999999999', '', '1&version=2']) {
      expect(await read(`aspect=status&version=${version}`)).toMatchObject({
        status: 400,
        json: { code: 'PARAMETER_INVALID' },
      });
    }
    expect(await read('version=0')).toMatchObject({ status: 400, json: { code: 'PARAMETER_MISSING' } });
    expect(await read('aspect=datasetProfile')).toMatchObject({
      status: 400,
      json: { code: 'ASPECT_KIND_WRONG' },
    });
  });

  it('needs the protocol version where the specification says so', async () => {
    const body = { proposal: proposal('status', { removed: false }) };
    for (const answer of [
      await call('POST', '/aspects?action=ingestProposal', body, {}),
      await call('POST', '/aspects?action=ingestProposalBatch', { proposals: [] }, {}),
      await call('GET', `/entitiesV2/${encode(ORDERS)}`, undefined, {}),
      await call('GET', `/entitiesV2?ids=List(${encode(ORDERS)})`, undefined, {}),
    ]) {
      expect(answer).toMatchObject({ status: 400, json: { code: 'PROTOCOL_VERSION_MISSING' } });
    }
  });

  it('lists the actions it knows', async () => {
    const answer = await call('POST', '/aspects?action=nothing', {});
    expect(answer).toMatchObject({ status: 400, json: { code: 'ACTION_UNKNOWN' } });
    expect(answer.json.message).toContain(
      'getCount, getTimeseriesAspectValues, ingestProposal, ingestProposalBatch',
    );
  });

  it('counts, and reads events', async () => {
    expect((await call('POST', '/aspects?action=getCount', { aspect: 'tagProperties' })).json).toEqual({
      value: 1,
    });
    const event = { timestampMillis: 5, rowCount: 1 };
    await call('POST', '/aspects?action=ingestProposal', { proposal: proposal('datasetProfile', event) });
    const query = {
      urn: ORDERS,
      entity: 'dataset',
      aspect: 'datasetProfile',
      startTimeMillis: 5,
      endTimeMillis: 5,
    };
    const answer = await call('POST', '/aspects?action=getTimeseriesAspectValues', query);
    expect(JSON.parse(answer.json.value.values[0].aspect.value)).toMatchObject(event);
  });

  it('answers relationships on both paths', async () => {
    const query = 'direction=INCOMING&urn=urn%3Ali%3Acorpuser%3Aann';
    const edge = { type: 'OwnedBy', entity: ORDERS };
    for (const types of [
      'types=OwnedBy',
      'types=List(OwnedBy,TaggedWith)',
      'types=TaggedWith&types=OwnedBy',
    ]) {
      const answer = await call('GET', `/relationships?${query}&${types}`, undefined, {});
      expect(answer.json).toEqual({
        start: 0,
        count: 1,
        total: 1,
        entities: [ORDERS],
        relationships: [edge],
      });
    }
    const v1 = await call(
      'GET',
      `/openapi/relationships/v1/?${query}&relationshipTypes=OwnedBy&start=0&count=200`,
    );
    expect(v1.json).toEqual({
      start: 0,
      count: 1,
      total: 1,
      entities: [{ urn: ORDERS, relationshipType: 'OwnedBy' }],
    });
    expect((await call('GET', `/openapi/relationships/v1?${query}&start=1`)).json).toMatchObject({
      count: 0,
      total: 1,
    });
    expect((await call('GET', '/relationships?urn=urn:li:tag:x')).json).toMatchObject({
      code: 'PARAMETER_MISSING',
    });
    expect((await call('GET', '/relationships?direction=UP&urn=urn:li:tag:x')).status).toBe(400);
  });
});
