import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { FeedReader } from './feed-reader.js';

const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const tags = (...names: string[]) => ({ tags: names.map((name) => ({ tag: `urn:li:tag:${name}` })) });
const ACTOR = 'urn:li:corpuser:admin';

describe('the change feed', () => {
  let catalog: TestCatalog;
  const propose = async (...proposal: Parameters<TestCatalog['propose']>) =>
    expect(await catalog.propose(...proposal)).toMatchObject({ status: 200 });
  const remove = async (urn: string) =>
    expect(await catalog.post('/entities?action=delete', { urn })).toMatchObject({ status: 200 });
  const aspectsOf = (events: any[]) => events.map((event) => [event.changeType, event.aspectName]);

  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog.stop());

  describe('of versioned aspects', () => {
    it('tells what was written, with the value before', async () => {
      const reader = await FeedReader.atEnd(catalog, 'MetadataChangeLog_Versioned_v1', {
        aspect: 'globalTags,datasetKey',
      });
      const urn = dataset('feed.a');
      await propose(urn, 'globalTags', tags('one'));
      await propose(urn, 'globalTags', tags('one', 'two'));
      const events = await reader.rest();
      expect(aspectsOf(events)).toEqual([
        ['CREATE', 'datasetKey'],
        ['UPSERT', 'globalTags'],
        ['UPSERT', 'globalTags'],
      ]);
      const [first, second] = events.slice(-2);
      expect(first).not.toHaveProperty('previousAspectValue');
      expect(first).toMatchObject({ entityType: 'dataset', entityUrn: urn, created: { actor: ACTOR } });
      expect(JSON.parse(first.aspect.value)).toEqual(tags('one'));
      expect(JSON.parse(second.previousAspectValue.value)).toEqual(tags('one'));
      expect(JSON.parse(second.aspect.value)).toEqual(tags('one', 'two'));
      expect(second.aspect.contentType).toBe('application/json');
      expect(second).toMatchObject({
        systemMetadata: { version: '2' },
        previousSystemMetadata: { version: '1' },
      });
      expect(await reader.poll()).toEqual([]);
    });

    it('says the same after what it tells of was deleted and written again', async () => {
      const reader = await FeedReader.atEnd(catalog, 'MetadataChangeLog_Versioned_v1');
      const begin = reader.offsetId;
      const urn = dataset('feed.lives');
      for (const life of ['first', 'second']) {
        await propose(urn, 'globalTags', tags(life));
        await propose(urn, 'globalTags', tags(life, 'more'));
        await propose(urn, 'globalTags', undefined, { changeType: 'DELETE' });
        await propose(urn, 'globalTags', tags(life, 'again'));
        await remove(urn);
      }
      const before = await reader.rest();
      await propose(urn, 'globalTags', tags('third'));
      reader.offsetId = begin;
      const after = await reader.rest();
      expect(after.slice(0, before.length)).toEqual(before);

      const told = before
        .filter(({ aspectName }) => aspectName === 'globalTags')
        .map(({ changeType, aspect, previousAspectValue }) => [
          changeType,
          ...[previousAspectValue, aspect].map((value) =>
            value === undefined
              ? null
              : JSON.parse(value.value)
                  .tags.map((t: any) => t.tag.slice(11))
                  .join(),
          ),
        ]);
      const life = (name: string) => [
        ['UPSERT', null, name],
        ['UPSERT', name, `${name},more`],
        ['DELETE', `${name},more`, null],
        ['UPSERT', null, `${name},again`],
      ];
      expect(told).toEqual([...life('first'), ...life('second')]);
      const deletions = before.filter((e) => e.changeType === 'DELETE' && e.aspectName === 'datasetKey');
      expect(deletions).toHaveLength(2);
      for (const deletion of deletions) {
        expect(deletion).not.toHaveProperty('aspect');
        expect(JSON.parse(deletion.previousAspectValue.value)).toMatchObject({ name: 'feed.lives' });
      }
    });

    it('tells of what came and went within one request', async () => {
      const reader = await FeedReader.atEnd(catalog, 'MetadataChangeLog_Versioned_v1', {
        aspect: 'globalTags',
      });
      const urn = dataset('feed.short');
      const change = (changeType: string, value?: object) => ({
        entityType: 'dataset',
        entityUrn: urn,
        aspectName: 'globalTags',
        changeType,
        ...(value && { aspect: { value: JSON.stringify(value), contentType: 'application/json' } }),
      });
      const proposals = [
        change('UPSERT', tags('x')),
        change('DELETE'),
        change('UPSERT', tags('y')),
        change('UPSERT', tags('z')),
        change('DELETE'),
      ];
      const { status } = await catalog.post('/aspects?action=ingestProposalBatch', { proposals });
      expect(status).toBe(200);
      const events = await reader.rest();
      const values = events.map(({ aspect, previousAspectValue }) =>
        [previousAspectValue, aspect].map((v) => (v ? JSON.parse(v.value).tags[0].tag.slice(11) : null)),
      );
      expect(values).toEqual([
        [null, 'x'],
        ['x', null],
        [null, 'y'],
        ['y', 'z'],
        ['z', null],
      ]);
    });

    it('comes in portions of any size, each event once', async () => {
      const all = new FeedReader(catalog, 'MetadataChangeLog_Versioned_v1', { lookbackWindowDays: 1 });
      const whole = await all.poll({ limit: 5000 });
      expect(whole.length).toBeGreaterThan(20);
      const some = new FeedReader(catalog, 'MetadataChangeLog_Versioned_v1', {
        lookbackWindowDays: 1,
        limit: 7,
      });
      const parts: any[] = [];
      while (parts.length < whole.length) {
        const part = await some.poll();
        expect(part.length).toBeLessThanOrEqual(7);
        parts.push(...part);
      }
      expect(parts).toEqual(whole);
    });

    it('has the same texts for who wants all as for who filters', async () => {
      const begin = (await FeedReader.atEnd(catalog, 'MetadataChangeLog_Versioned_v1')).offsetId!;
      const codes = [...Array(0x2ff).keys(), 0x2028, 0xd7ff, 0xe000, 0xffff, 0x1f600];
      const text = String.fromCodePoint(...codes.filter((code) => code > 0));
      const describe = (urn: string, description: string) =>
        propose(urn, 'datasetProperties', { description });
      for (let i = 0; i < 3; i += 1) {
        const urn = dataset(`feed."odd"\\${i}é`);
        await describe(urn, text);
        await describe(urn, `${text}${i}`);
        await describe(urn, `{"a":"\\"${text}\\u0001"}`);
        await propose(urn, 'globalTags', tags('one'), { changeType: 'RESTATE' });
        await propose(urn, 'globalTags', tags('one'), { changeType: 'RESTATE' });
        await propose(urn, 'datasetProfile', { timestampMillis: 1_700_000_000_000 + i, rowCount: i });
      }
      const read = async (more: Record<string, string | number>) => {
        const reader = new FeedReader(catalog, 'MetadataChangeLog_Versioned_v1', more);
        reader.offsetId = begin;
        return reader.restOfTexts();
      };
      const same = async () => {
        const filtered = await read({ urn: 'urn:*' });
        for (const limit of [1000, 7]) expect(await read({ limit })).toEqual(filtered);
        return filtered;
      };
      const told = await same();
      expect(told.length).toBeGreaterThan(3 * 6);
      // Values of a former life are found elsewhere.
      await propose(dataset('feed."odd"\\1é'), 'globalTags', undefined, { changeType: 'DELETE' });
      await remove(dataset('feed."odd"\\2é'));
      expect((await same()).slice(0, told.length)).toEqual(told);
    });

    it('is filtered by entity type, aspect and URN', async () => {
      const reader = await FeedReader.atEnd(catalog, 'MetadataChangeLog_Versioned_v1', {
        entityType: 'dataset',
        aspect: 'globalTags,datasetKey',
        urn: 'urn:li:dataset:(urn:li:dataPlatform:hive,filter.*',
      });
      await propose(dataset('other'), 'globalTags', tags('t'));
      await propose('urn:li:tag:filter.x', 'tagProperties', { name: 'x' });
      await propose(dataset('filter.x'), 'globalTags', tags('t'));
      expect(aspectsOf(await reader.rest())).toEqual([
        ['CREATE', 'datasetKey'],
        ['UPSERT', 'globalTags'],
      ]);
    });
  });

  it('tells of time-series events as they were written', async () => {
    const reader = await FeedReader.atEnd(catalog, 'MetadataChangeLog_Timeseries_v1');
    const begin = reader.offsetId;
    const profile = (rowCount: number) => ({ timestampMillis: 1_700_000_000_000, rowCount });
    const urn = dataset('feed.profiled');
    await propose(urn, 'datasetProfile', profile(1));
    // The same event again: the table has the second value alone.
    await propose(urn, 'datasetProfile', profile(2));
    const events = await reader.rest();
    expect(events.map(({ aspectName, aspect }) => [aspectName, JSON.parse(aspect.value).rowCount])).toEqual([
      ['datasetProfile', 1],
      ['datasetProfile', 2],
    ]);
    expect(events[0]).toMatchObject({ entityUrn: urn, systemMetadata: { lastObserved: expect.any(Number) } });
    await remove(urn);
    reader.offsetId = begin;
    expect(await reader.rest()).toEqual(events);
  });

  it.each(['PlatformEvent_v1', 'MetadataChangeLog_Versioned_v1'] as const)(
    'says the same of %s in small pages, which are read ahead, as in one',
    async (topic) => {
      const small = new FeedReader(catalog, topic, { lookbackWindowDays: 1, limit: 3 });
      const whole = new FeedReader(catalog, topic, { lookbackWindowDays: 1, limit: 5_000 });
      const events: any[] = [];
      for (let some = await small.poll(); some.length > 0; some = await small.poll()) events.push(...some);
      expect(events.length).toBeGreaterThan(3);
      expect(events).toEqual(await whole.poll());
    },
  );

  it('goes on behind each page that was read ahead, also with what is written meanwhile', async () => {
    const topic = 'MetadataChangeLog_Versioned_v1';
    const small = new FeedReader(catalog, topic, { lookbackWindowDays: 1, limit: 3 });
    const events: any[] = [];
    const places: Array<{ offsetId: string | undefined; read: number }> = [];
    const read = async () => {
      const some = await small.poll();
      events.push(...some);
      places.push({ offsetId: small.offsetId, read: events.length });
      return some.length > 0;
    };
    for (let page = 0; page < 5; page += 1) await read();
    await propose(dataset('feed.meanwhile'), 'datasetProperties', { description: 'meanwhile' });
    while (await read());
    expect(events.at(-1)).toMatchObject({ entityUrn: dataset('feed.meanwhile') });
    const later = new FeedReader(catalog, topic, { limit: 2 });
    for (const { offsetId, read } of places) {
      later.offsetId = offsetId;
      expect(await later.poll()).toEqual(events.slice(read, read + 2));
    }
  });

  it('says the same to who asks again, whoever answers', async () => {
    const reader = new FeedReader(catalog, 'MetadataChangeLog_Versioned_v1', {
      lookbackWindowDays: 1,
      limit: 2,
    });
    // Behind the second answer the next one is made ahead.
    for (let polls = 0; polls < 2; polls += 1) await reader.poll();
    const path = `/openapi/v1/events/poll?topic=${reader.topic}&pollTimeoutSeconds=0&offsetId=${reader.offsetId}`;
    const ask = async (more: string) => {
      const { status, headers, body } = await catalog.get(path + more);
      return { status, type: headers.get('content-type'), body };
    };
    const answers = [await ask('&limit=2'), await ask('&limit=2')];
    expect(answers[0]).toMatchObject({ status: 200, type: 'application/json; charset=utf-8' });
    expect(answers[1]).toEqual(answers[0]);
    // What is wrong with it is not answered because the rest is known.
    expect(await ask('&limit=2&aspect=nonsense')).toMatchObject({ status: 400 });
    expect(await ask('&limit=2&nonsense=1')).toMatchObject({ status: 400 });
    expect(await ask('&limit=0')).toMatchObject({ status: 400 });
  });

  describe('of platform events', () => {
    const ofEntity = (events: any[]) =>
      events
        .filter(({ name }) => name === 'entityChangeEvent')
        .map(({ category, operation, modifier, entityUrn }) => [category, operation, modifier, entityUrn]);

    it('tells of tags, terms, owners, domains, descriptions and deprecation', async () => {
      const urn = dataset('feed.described');
      const reader = await FeedReader.atEnd(catalog, 'PlatformEvent_v1');
      await propose(urn, 'globalTags', tags('a'));
      await propose(urn, 'globalTags', tags('b'));
      await propose(urn, 'ownership', { owners: [{ owner: ACTOR, type: 'DATAOWNER' }] });
      await propose(urn, 'datasetProperties', { description: 'first' });
      await propose(urn, 'datasetProperties', { description: 'second' });
      await propose(urn, 'deprecation', { deprecated: true, note: '', actor: ACTOR });
      await propose(urn, 'status', { removed: true });
      await propose(urn, 'status', { removed: false });
      await remove(urn);
      const events = await reader.rest();
      expect(ofEntity(events)).toEqual([
        ['LIFECYCLE', 'CREATE', undefined, urn],
        ['TAG', 'ADD', 'urn:li:tag:a', urn],
        ['TAG', 'REMOVE', 'urn:li:tag:a', urn],
        ['TAG', 'ADD', 'urn:li:tag:b', urn],
        ['OWNER', 'ADD', ACTOR, urn],
        ['DOCUMENTATION', 'ADD', undefined, urn],
        ['DOCUMENTATION', 'MODIFY', undefined, urn],
        ['DEPRECATION', 'MODIFY', 'DEPRECATED', urn],
        ['LIFECYCLE', 'SOFT_DELETE', undefined, urn],
        ['LIFECYCLE', 'REINSTATE', undefined, urn],
        ['LIFECYCLE', 'HARD_DELETE', undefined, urn],
      ]);
      const owner = events.find((event) => event.category === 'OWNER');
      expect(owner).toEqual({
        name: 'entityChangeEvent',
        entityUrn: urn,
        entityType: 'dataset',
        category: 'OWNER',
        operation: 'ADD',
        modifier: ACTOR,
        parameters: { ownerUrn: ACTOR, ownerType: 'DATAOWNER' },
        version: 0,
        auditStamp: { actor: ACTOR, time: expect.any(Number) },
      });
    });

    it('tells of terms, domains, applications, structured properties and runs', async () => {
      const [urn, property] = [dataset('feed.governed'), 'urn:li:structuredProperty:feed.level'];
      const run = 'urn:li:dataProcessInstance:feed-run';
      await propose(property, 'propertyDefinition', {
        qualifiedName: 'feed.level',
        displayName: 'level',
        valueType: 'urn:li:dataType:datahub.string',
        entityTypes: ['urn:li:entityType:datahub.dataset'],
        cardinality: 'SINGLE',
      });
      const reader = await FeedReader.atEnd(catalog, 'PlatformEvent_v1');
      const level = (...values: string[]) => ({
        properties: values.map((string) => ({ propertyUrn: property, values: [{ string }] })),
      });
      await propose(urn, 'glossaryTerms', {
        terms: [{ urn: 'urn:li:glossaryTerm:t' }],
        auditStamp: { time: 1, actor: ACTOR },
      });
      await propose(urn, 'domains', { domains: ['urn:li:domain:d'] });
      await propose(urn, 'applications', { applications: ['urn:li:application:a'] });
      for (const values of [['low'], ['high'], []])
        await propose(urn, 'structuredProperties', level(...values));
      for (const status of ['STARTED', 'COMPLETE'])
        await propose(run, 'dataProcessInstanceRunEvent', { timestampMillis: 1, status });
      const events = ofEntity(await reader.rest()).filter(([category]) => category !== 'LIFECYCLE');
      expect(events).toEqual([
        ['GLOSSARY_TERM', 'ADD', 'urn:li:glossaryTerm:t', urn],
        ['DOMAIN', 'ADD', 'urn:li:domain:d', urn],
        ['APPLICATION', 'ADD', 'urn:li:application:a', urn],
        ['STRUCTURED_PROPERTY', 'ADD', property, urn],
        ['STRUCTURED_PROPERTY', 'MODIFY', property, urn],
        ['STRUCTURED_PROPERTY', 'REMOVE', property, urn],
        ['RUN', 'STARTED', undefined, run],
        ['RUN', 'COMPLETED', undefined, run],
      ]);
    });

    it('tells that values went with their property, without the values', async () => {
      const [urn, property] = [dataset('feed.held'), 'urn:li:structuredProperty:feed.gone'];
      const definition = {
        ...{ qualifiedName: 'feed.gone', displayName: 'gone', cardinality: 'SINGLE' },
        valueType: 'urn:li:dataType:datahub.string',
        entityTypes: ['urn:li:entityType:datahub.dataset'],
      };
      await propose(property, 'propertyDefinition', definition);
      await propose(urn, 'status', { removed: false });
      await propose(urn, 'structuredProperties', {
        properties: [{ propertyUrn: property, values: [{ string: 'kept to itself' }] }],
      });
      const reader = await FeedReader.atEnd(catalog, 'PlatformEvent_v1');
      await remove(property);
      await catalog.checkRemovals();
      const events = (await reader.rest()).filter(({ category }) => category !== 'LIFECYCLE');
      expect(ofEntity(events.filter(({ name }) => name === 'entityChangeEvent'))).toEqual([
        ['STRUCTURED_PROPERTY', 'REMOVE', property, urn],
      ]);
      const [removed] = events.filter(({ category }) => category === 'STRUCTURED_PROPERTY');
      expect(removed.parameters).toEqual({ propertyUrn: property });
      expect(events).toContainEqual(
        expect.objectContaining({
          ...{ sourceUrn: urn, destinationUrn: property, operation: 'REMOVE' },
          relationshipType: 'HasStructuredProperty',
        }),
      );
      expect(JSON.stringify(events)).not.toContain('kept to itself');
    });

    it('tells of the texts of an entity by their source', async () => {
      const urn = `urn:li:schemaField:(${dataset('feed.texts')},id)`;
      const reader = await FeedReader.atEnd(catalog, 'PlatformEvent_v1', { category: 'DOCUMENTATION' });
      const source = 'urn:li:dataHubAction:propagation';
      const own = { documentation: 'An id.' };
      const propagated = (documentation: string) => ({
        documentation,
        attribution: { time: 1, actor: ACTOR, source },
      });
      await propose(urn, 'documentation', { documentations: [own] });
      await propose(urn, 'documentation', { documentations: [propagated('The id.'), own] });
      await propose(urn, 'documentation', { documentations: [propagated('An identifier.')] });
      const events = await reader.rest();
      expect(events.map(({ operation, parameters }) => [operation, parameters])).toEqual([
        ['ADD', { description: 'An id.' }],
        ['ADD', { description: 'The id.', attributionSource: source }],
        [
          'MODIFY',
          { description: 'An identifier.', previousDescription: 'The id.', attributionSource: source },
        ],
        ['REMOVE', { description: '', previousDescription: 'An id.' }],
      ]);
      expect(events[0]).toMatchObject({ entityUrn: urn, entityType: 'schemaField' });
    });

    it('tells of columns by their own URN', async () => {
      const urn = dataset('feed.columns');
      const reader = await FeedReader.atEnd(catalog, 'PlatformEvent_v1', {
        category: 'TAG,TECHNICAL_SCHEMA',
      });
      const field = (fieldPath: string, more: object = {}) => ({
        fieldPath,
        nativeDataType: 'int',
        type: { type: { 'com.linkedin.schema.NumberType': {} } },
        nullable: true,
        ...more,
      });
      const schema = (...fields: object[]) => ({
        schemaName: 's',
        platform: 'urn:li:dataPlatform:hive',
        version: 0,
        hash: '',
        platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
        fields,
      });
      await propose(urn, 'schemaMetadata', schema(field('id')));
      await propose(urn, 'schemaMetadata', schema(field('id', { globalTags: tags('pii') })));
      const column = `urn:li:schemaField:(${urn},id)`;
      const [added, tagged] = await reader.rest();
      expect(added).toMatchObject({
        category: 'TECHNICAL_SCHEMA',
        operation: 'ADD',
        modifier: column,
        entityUrn: urn,
        parameters: { fieldPath: 'id', fieldUrn: column, nullable: true },
      });
      expect(tagged).toMatchObject({
        category: 'TAG',
        operation: 'ADD',
        entityUrn: column,
        entityType: 'schemaField',
        parameters: { tagUrn: 'urn:li:tag:pii', fieldPath: 'id', fieldUrn: column },
      });
    });

    it('tells of relationships, also of those that go with an entity', async () => {
      const [from, to] = [dataset('feed.down'), dataset('feed.up')];
      const reader = await FeedReader.atEnd(catalog, 'PlatformEvent_v1', { category: 'RELATIONSHIP' });
      const upstream = (...urns: string[]) => ({
        upstreams: urns.map((urn) => ({
          auditStamp: { time: 1, actor: ACTOR },
          type: 'TRANSFORMED',
          dataset: urn,
        })),
      });
      await propose(from, 'upstreamLineage', upstream(to));
      await propose(from, 'globalTags', tags('t'));
      await remove(from);
      const lineage = { relationshipType: 'DownstreamOf', sourceUrn: from, destinationUrn: to };
      const tagged = { relationshipType: 'TaggedWith', sourceUrn: from, destinationUrn: 'urn:li:tag:t' };
      const events = (await reader.rest()).filter(({ relationshipType }) =>
        ['DownstreamOf', 'TaggedWith'].includes(relationshipType),
      );
      expect(events).toHaveLength(4);
      expect(events[0]).toMatchObject({ ...lineage, operation: 'ADD', lifecycleOwner: from });
      expect(events[1]).toMatchObject({ ...tagged, operation: 'ADD' });
      expect(events.slice(2)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ ...lineage, operation: 'REMOVE' }),
          expect.objectContaining({ ...tagged, operation: 'REMOVE' }),
        ]),
      );
      expect(events[0].name).toBe('relationshipChangeEvent');
    });

    it('goes on inside of what one change stands for', async () => {
      const urn = dataset('feed.many');
      const names = Array.from({ length: 30 }, (_, i) => `many${i}`);
      const reader = await FeedReader.atEnd(catalog, 'PlatformEvent_v1', { category: 'TAG', limit: 7 });
      await propose(urn, 'globalTags', tags(...names));
      const events: any[] = [];
      while (events.length < 30) events.push(...(await reader.poll({ pollTimeoutSeconds: 5 })));
      expect(events.map(({ modifier }) => modifier.slice(11))).toEqual(names);
      expect(await reader.poll()).toEqual([]);
    });
  });

  it.each(['PlatformEvent_v1', 'MetadataChangeLog_Versioned_v1'])(
    'of %s gives the same bytes to whoever comes with a cursor again, also when it has changed since',
    async (topic) => {
      const urn = dataset(`feed.again-${topic}`);
      const page = (query: string) =>
        catalog.get(`/openapi/v1/events/poll?topic=${topic}&limit=2&pollTimeoutSeconds=0&${query}`);
      const { body: begin } = await page('');
      await propose(urn, 'globalTags', tags('a', 'b', 'c'));
      await propose(urn, 'datasetProperties', { name: 'é "quoted" \\ \u2028' });
      // Who begins at the end waits for what is committed.
      await page('');
      const readAll = async () => {
        const pages: string[] = [];
        for (let { offsetId } = begin; ;) {
          const { text, body } = await page(`offsetId=${offsetId}`);
          if (body.count === 0) return pages;
          pages.push(text);
          offsetId = body.offsetId;
        }
      };
      const first = await readAll();
      expect(first.length).toBeGreaterThan(2);
      expect(await readAll()).toEqual(first);
      await catalog.post('/entities?action=delete', { urn });
      const third = await readAll();
      // The last page may have become longer.
      expect(third.slice(0, first.length - 1)).toEqual(first.slice(0, -1));
    },
  );

  it('goes on where a snapshot ends', async () => {
    await propose(dataset('snapshot.before'), 'globalTags', tags('t'));
    const scroll = (scrollId?: string) =>
      catalog.post(
        `/openapi/v3/entity/scroll?count=5${scrollId === undefined ? '' : `&scrollId=${scrollId}`}`,
        {
          entities: ['dataset', 'tag'],
        },
      );
    const first = await scroll();
    const reader = new FeedReader(catalog, 'PlatformEvent_v1', { category: 'LIFECYCLE' });
    reader.offsetId = first.headers.get('x-feed-cursor')!;
    await propose(dataset('snapshot.after'), 'globalTags', tags('t'));
    const urns: string[] = [];
    for (let page = first; ; page = await scroll(encodeURIComponent(page.body.scrollId))) {
      expect(page.status).toBe(200);
      urns.push(...page.body.entities.map(({ urn }: { urn: string }) => urn));
      if (page !== first) expect(page.headers.get('x-feed-cursor')).toBeNull();
      if (!page.body.scrollId) break;
    }
    expect(urns).toContain(dataset('snapshot.before'));
    const told = (await reader.rest()).map(({ entityUrn }) => entityUrn);
    expect(told).toContain(dataset('snapshot.after'));
    expect(told).not.toContain(dataset('feed.a'));
  });

  describe('is asked', () => {
    const poll = (query: string, token?: string) =>
      catalog.get(`/openapi/v1/events/poll?${query}`, token === undefined ? {} : { token });

    it('and waits for the next event', async () => {
      const reader = await FeedReader.atEnd(catalog, 'PlatformEvent_v1', { urn: 'urn:li:tag:awaited' });
      const waiting = reader.poll({ pollTimeoutSeconds: 10 });
      await propose('urn:li:tag:unrelated', 'tagProperties', { name: 'u' });
      await propose('urn:li:tag:awaited', 'tagProperties', { name: 'a' });
      expect((await waiting)[0]).toMatchObject({ category: 'LIFECYCLE', operation: 'CREATE' });
    });

    it('by readers, with a token', async () => {
      const { token } = await catalog.issueToken({ role: 'READER' });
      expect(await poll('topic=PlatformEvent_v1&pollTimeoutSeconds=0', token)).toMatchObject({ status: 200 });
      expect(
        await catalog.get('/openapi/v1/events/poll?topic=PlatformEvent_v1', { token: null }),
      ).toMatchObject({
        status: 401,
      });
    });

    it.each([
      ['topic=Nothing_v1', '/topic'],
      ['', '/topic'],
      ['topic=PlatformEvent_v1&offsetId=abc', '/offsetId'],
      ['topic=PlatformEvent_v1&entityType=nothing', '/entityType'],
      ['topic=PlatformEvent_v1&aspect=nothing', '/aspect'],
      ['topic=PlatformEvent_v1&aspect=', '/aspect'],
      ['topic=PlatformEvent_v1&category=NOTHING', '/category'],
      ['topic=MetadataChangeLog_Versioned_v1&category=TAG', '/category'],
      ['topic=MetadataChangeLog_Timeseries_v1&category=RUN', '/category'],
      ['topic=PlatformEvent_v1&limit=0', '/limit'],
    ])('and refuses %s', async (query, pointer) => {
      const { status, body } = await poll(query);
      expect({ status, pointer: body.errors[0].pointer }).toEqual({ status: 400, pointer });
    });
  });
});
