import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, encoded, expectRefusal } from '../aspect-api/support.js';
import { pagesOf, path } from './support.js';

const ALL = 230;
const name = (i: number): string => dataset(`l.table_${String(i).padStart(3, '0')}`);
const urns = (pages: Array<{ entities: Array<{ urn: string }> }>): string[] =>
  pages.flatMap((page) => page.entities.map(({ urn }) => urn));

describe('lists', () => {
  let catalog: TestCatalog;
  const everything = Array.from({ length: ALL }, (_, i) => name(i));

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      ...everything.map((urn, i): [string, string, unknown] => [
        urn,
        'datasetProperties',
        { name: `Table ${i}`, description: i % 2 === 0 ? 'even' : 'odd' },
      ]),
    );
    await catalog.ingest([name(7), 'status', { removed: true }]);
  });
  afterAll(() => catalog.stop());

  it('are sorted by fields of their kind; another one is refused with one of these', async () => {
    const answer = await catalog.get('/openapi/v3/entity/dataset?sortCriteria=created');
    expectRefusal(answer, 400, 'PARAMETER_INVALID', '/sortCriteria');
    expect(answer.body.message).toBe('there is no field "created" to sort by; did you mean "createdAt"?');
  });

  it('are walked to their end, each entity once, in the order asked for', async () => {
    const shown = everything.filter((urn) => urn !== name(7));
    for (const [query, expected] of [
      ['count=17', shown],
      ['count=100&sortOrder=DESCENDING', shown.toReversed()],
      ['count=1000&includeSoftDelete=true', everything],
      ['count=50&sortCriteria=name&sortCriteria=urn', undefined],
    ] as const) {
      const pages = await pagesOf(catalog, `/openapi/v3/entity/dataset?aspects=status&${query}`);
      const found = urns(pages);
      if (expected) expect(found).toEqual(expected);
      else expect(found.toSorted()).toEqual(shown);
      expect(new Set(pages.map((page) => page.totalCount as number))).toEqual(new Set([found.length]));
    }
  });

  it('have 10 entries by default, all aspects, and no more than asked for', async () => {
    const { body } = await catalog.get('/openapi/v3/entity/dataset');
    expect(body.entities).toHaveLength(10);
    expect(body).toMatchObject({ totalCount: ALL - 1, facets: [], scrollId: expect.any(String) });
    expect(Object.keys(body.entities[0] as object).sort()).toEqual([
      'browsePathsV2',
      'dataPlatformInstance',
      'datasetKey',
      'datasetProperties',
      'urn',
    ]);
    const none = await catalog.get('/openapi/v3/entity/dataset?count=0');
    expect(none.body).toEqual({ scrollId: null, entities: [], facets: [], totalCount: ALL - 1 });
  });

  it.each([
    '/openapi/v3/entity/dataset?count=20000&includeSoftDelete=true',
    '/openapi/v2/entity/dataset?count=20000&includeSoftDelete=true',
  ])('lower a page that is too long: %s', async (url) => {
    const { status, body } = await catalog.get(url);
    expect([status, (body.entities ?? body.results).length]).toEqual([200, everything.length]);
  });

  it('are those of version 2 under another name', async () => {
    const { body } = await catalog.get('/openapi/v2/entity/dataset?count=1&aspects=datasetKey');
    expect(body.results).toEqual([{ urn: name(0), aspects: { datasetKey: expect.anything() } }]);
    expect(body.scrollId).toEqual(expect.any(String));
    // Clients of version 2 ask on and on while the member is there, whatever it holds.
    const last = await catalog.get('/openapi/v2/entity/dataset?count=10000&aspects=datasetKey');
    expect(Object.keys(last.body as object)).toEqual(['results', 'facets', 'totalCount']);
  });

  it('take flags as Python writes them', async () => {
    const { body } = await catalog.get('/openapi/v3/entity/dataset?includeSoftDelete=True&skipCache=FALSE');
    expect(body.totalCount).toBe(ALL);
  });

  it('take a query', async () => {
    const { body } = await catalog.get(
      '/openapi/v3/entity/dataset?count=200&aspects=status&query=description%3Aodd',
    );
    expect(body.totalCount).toBe(ALL / 2 - 1);
    const one = await catalog.get('/openapi/v3/entity/dataset?query=%22Table%20115%22&aspects=status');
    expect(urns([one.body])).toEqual([name(115)]);
    const none = await catalog.get('/openapi/v3/entity/dataset?query=nothinglikethat');
    expect(none.body).toMatchObject({ entities: [], totalCount: 0, scrollId: null });
  });

  it('come in slices', async () => {
    const slices = await Promise.all(
      [0, 1, 2].map((id) =>
        pagesOf(catalog, `/openapi/v3/entity/dataset?aspects=status&count=40&sliceMax=3&sliceId=${id}`),
      ),
    );
    const parts = slices.map(urns);
    for (const part of parts) expect(part.length).toBeGreaterThan(30);
    expect(parts.flat().toSorted()).toEqual(everything.filter((urn) => urn !== name(7)));
  });

  it('have scroll ids that cannot be made, changed, or taken elsewhere', async () => {
    const list = '/openapi/v3/entity/dataset?count=5';
    const { scrollId } = (await catalog.get(list)).body;
    expect((await catalog.get(`${list}&scrollId=${scrollId}`)).status).toBe(200);
    // Another size of page, and other aspects, are the same walk.
    expect((await catalog.get(`${list}0&aspects=status&scrollId=${scrollId}`)).status).toBe(200);
    for (const at of [0, 10, scrollId.length - 1]) {
      const other = scrollId[at] === 'A' ? 'B' : 'A';
      const changed = scrollId.slice(0, at) + other + scrollId.slice(at + 1);
      expectRefusal(await catalog.get(`${list}&scrollId=${changed}`), 400, 'PARAMETER_INVALID', '/scrollId');
    }
    for (const elsewhere of [
      '/openapi/v3/entity/chart?count=5',
      `${list}&sortOrder=DESCENDING`,
      `${list}&query=odd`,
      `${list}&includeSoftDelete=true`,
    ]) {
      const answer = await catalog.get(`${elsewhere}&scrollId=${scrollId}`);
      expectRefusal(answer, 400, 'PARAMETER_INVALID', '/scrollId');
    }
  });

  it('show each unchanged entity exactly once while others come, change and go', async () => {
    const seen: string[] = [];
    let step = 0;
    await pagesOf(catalog, '/openapi/v3/entity/dataset?count=9&aspects=status', async (url) => {
      const answer = await catalog.get(url);
      seen.push(...urns([answer.body]));
      step += 1;
      await catalog.ingest(
        [dataset(`l.before_${step}`), 'datasetProperties', {}],
        [dataset(`l.zz_${step}`), 'datasetProperties', {}],
        [name((step * 31) % ALL), 'datasetProperties', { name: `changed ${step}` }],
      );
      const gone = dataset(`l.before_${step - 1}`);
      await catalog.request('DELETE', path(gone));
      return answer;
    });
    const counts = Map.groupBy(seen, (urn) => urn);
    expect([...counts.values()].every((times) => times.length === 1)).toBe(true);
    for (const urn of everything.filter((u) => u !== name(7))) expect(counts.has(urn)).toBe(true);
  });

  it('scroll ids outlive the process', async () => {
    const first = await TestCatalog.start();
    await first.ingest(
      ...[1, 2, 3].map((i): [string, string, unknown] => [name(i), 'status', { removed: false }]),
    );
    const { scrollId } = (await first.get('/openapi/v3/entity/dataset?count=2')).body;
    await first.stop({ keepHome: true });
    const second = await TestCatalog.start({}, first.home);
    try {
      const { body } = await second.get(`/openapi/v3/entity/dataset?count=2&scrollId=${scrollId}`);
      expect(urns([body])).toEqual([name(3)]);
    } finally {
      await second.stop();
    }
  });

  describe('over several kinds', () => {
    const scroll = (query: string, body: unknown) => catalog.post(`/openapi/v3/entity/scroll${query}`, body);

    beforeAll(() =>
      catalog.ingest(
        ['urn:li:tag:l.first', 'tagProperties', { name: 'first' }],
        ['urn:li:tag:l.second', 'tagProperties', { name: 'second' }],
        [name(3), 'globalTags', { tags: [{ tag: 'urn:li:tag:l.first' }] }],
      ),
    );

    it('show URNs, all aspects or those named', async () => {
      const entities = { entities: ['Tag'] };
      expect((await scroll('', entities)).body.entities).toEqual([
        { urn: 'urn:li:tag:l.first' },
        { urn: 'urn:li:tag:l.second' },
      ]);
      const all = await scroll('', { ...entities, aspects: [] });
      expect(Object.keys(all.body.entities[0] as object).sort()).toEqual(['tagKey', 'tagProperties', 'urn']);
      const some = await scroll('', { ...entities, aspects: ['tagKey'] });
      expect(Object.keys(some.body.entities[0] as object).sort()).toEqual(['tagKey', 'urn']);
    });

    it('are filtered, sorted, counted and paged', async () => {
      const filter = {
        and: [{ criteria: [{ field: 'tags', values: ['urn:li:tag:l.first'], condition: 'EQUAL' }] }],
      };
      const { body } = await scroll('?skipAggregation=false', { entities: ['dataset', 'chart'], filter });
      expect(body.entities).toEqual([{ urn: name(3) }]);
      expect(body.facets).toContainEqual({
        field: 'platform',
        aggregations: { 'urn:li:dataPlatform:kafka': 1 },
      });
      const sortCriteria = [{ field: 'urn', order: 'DESCENDING' }];
      const found: string[] = [];
      await pagesOf(catalog, '/openapi/v3/entity/scroll?count=100', async (url) => {
        const answer = await catalog.post(url, { entities: ['tag', 'dataset'], sortCriteria });
        found.push(...urns([answer.body]));
        return answer;
      });
      expect(found.length).toBe(new Set(found).size);
      expect(found).toEqual(found.toSorted().toReversed());
      expect(found).toContain('urn:li:tag:l.second');
    });

    it('parts of a filter are alternatives, in each of which all criteria hold', async () => {
      const has = (value: string, more = {}) => ({ field: 'urn', values: [value], ...more });
      const and = [
        { criteria: [has(name(1))] },
        { criteria: [has(name(3)), { field: 'tags', values: ['urn:li:tag:l.first'] }] },
        { criteria: [has(name(2)), { field: 'tags', values: ['urn:li:tag:l.first'] }] },
      ];
      const { body } = await scroll('', { entities: ['dataset'], filter: { and } });
      expect(urns([body])).toEqual([name(1), name(3)]);
    });

    it.each<[query: string, body: unknown, code: string]>([
      ['?scrollIdPerEntity=true', {}, 'PARAMETER_INVALID'],
      ['', { entities: 'tag' }, 'PARAMETER_INVALID'],
      ['', { entities: ['nothing'] }, 'ENTITY_UNKNOWN'],
      ['', { aspects: ['nothing'] }, 'ASPECT_UNKNOWN'],
      ['', { filter: { and: [{ criterion: [] }] } }, 'FILTER_INVALID'],
      ['', { filter: { and: [{ criteria: [{ field: 'x', condition: 'LIKE' }] }] } }, 'FILTER_INVALID'],
      ['', { sortCriteria: [{ order: 'ASCENDING' }] }, 'PARAMETER_INVALID'],
      ['', { colour: 1 }, 'PARAMETER_INVALID'],
      ['?sortCriteria=structuredProperties.l.unknown', {}, 'PARAMETER_INVALID'],
      ['', { sortCriteria: [{ field: 'structuredProperties.l.unknown' }] }, 'PARAMETER_INVALID'],
    ])('%s %j is refused', async (query, body, code) => {
      expectRefusal(await scroll(query, body), 400, code);
    });
  });
});

describe('relationships, lineage and events', () => {
  let catalog: TestCatalog;
  const ann = 'urn:li:corpuser:ann';
  const [raw, clean, gone] = [dataset('r.raw'), dataset('r.clean'), dataset('r.gone')];
  const end = (urn: string) => ({ entityType: urn.split(':')[2], urn });
  const owned = { owners: [{ owner: ann, type: 'DATAOWNER' }] };

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    const auditStamp = { time: 1, actor: ann };
    await catalog.ingest(
      ...[raw, clean, gone].map((urn): [string, string, unknown] => [urn, 'ownership', owned]),
      [clean, 'upstreamLineage', { upstreams: [{ dataset: raw, type: 'TRANSFORMED', auditStamp }] }],
      [gone, 'status', { removed: true }],
      [
        'urn:li:chart:(looker,r)',
        'chartInfo',
        {
          title: 't',
          description: 'd',
          inputs: [{ string: clean }],
          lastModified: { created: auditStamp, lastModified: auditStamp },
        },
      ],
      ...Array.from({ length: 25 }, (_, i): [string, string, unknown] => [
        i % 2 === 0 ? raw : clean,
        'datasetProfile',
        { timestampMillis: 1000 + Math.floor(i / 4), rowCount: i, messageId: `m${i}` },
      ]),
    );
  });
  afterAll(() => catalog.stop());

  it.each(['v2', 'v3'])(
    '%s: all of one type, with and without those of what is soft-deleted',
    async (version) => {
      const url = `/openapi/${version}/relationship/OwnedBy`;
      const { body } = await catalog.get(url);
      const edge = (urn: string) => ({
        relationshipType: 'OwnedBy',
        source: end(urn),
        destination: end(ann),
      });
      expect(body).toEqual({ scrollId: null, results: [edge(clean), edge(raw)] });
      const pages = await pagesOf(catalog, `${url}?count=1&includeSoftDelete=true`);
      expect(pages.map((page) => page.results)).toEqual([[edge(clean)], [edge(gone)], [edge(raw)]]);
    },
  );

  it('those of one entity, in both directions', async () => {
    const of = async (urn: string, query: string) =>
      (
        await catalog.get(`/openapi/v3/relationship/${end(urn).entityType}/${encoded(urn)}${query}`)
      ).body.results.map(
        (edge: any) => `${edge.relationshipType} ${edge.source.urn} ${edge.destination.urn}`,
      );
    expect(await of(clean, '?relationshipType=DownstreamOf&relationshipType=OwnedBy')).toEqual([
      `DownstreamOf ${clean} ${raw}`,
      `OwnedBy ${clean} ${ann}`,
    ]);
    expect(await of(clean, '?direction=INCOMING')).toEqual([`Consumes urn:li:chart:(looker,r) ${clean}`]);
    expect(await of(ann, '?direction=INCOMING&relationshipType=*')).toHaveLength(2);
    const url = `/openapi/v3/relationship/dataset/${encoded(clean)}?direction=SIDEWAYS`;
    expectRefusal(await catalog.get(url), 400, 'PARAMETER_INVALID', '/direction');
  });

  it('those that fit a filter', async () => {
    const scroll = async (query: string, body: unknown) =>
      (await catalog.post(`/openapi/v3/relationship/scroll${query}`, body)).body.results.map(
        (edge: any) => edge.source.urn,
      );
    expect(await scroll('?relationshipTypes=OwnedBy&sourceTypes=dataset', {})).toEqual([clean, raw]);
    const filter = (field: string, value: string) => ({
      and: [{ criteria: [{ field, values: [value], condition: 'EQUAL' }] }],
    });
    expect(await scroll('?destinationTypes=DATASET', {})).toEqual(['urn:li:chart:(looker,r)', clean]);
    expect(
      await scroll('', { destinationFilter: filter('urn', ann), sourceFilter: filter('urn', clean) }),
    ).toEqual([clean]);
    expect(await scroll('', { edgeFilter: filter('relationshipType', 'DownstreamOf') })).toEqual([clean]);
    const report = 'urn:li:chart:(looker,r)';
    expect(await scroll('', { edgeFilter: filter('urn', raw) })).toEqual([clean, raw]);
    const notRaw = { ...filter('urn', raw).and[0]!.criteria[0], negated: true };
    expect(
      await scroll('', {
        edgeFilter: { and: [{ criteria: [...filter('urn', clean).and[0]!.criteria, notRaw] }] },
      }),
    ).toEqual([report, clean]);
    const either = (...urns: string[]) => ({ and: urns.flatMap((urn) => filter('urn', urn).and) });
    expect(
      await scroll('', { sourceFilter: either(raw, clean), destinationFilter: either(ann, 'urn:li:tag:no') }),
    ).toEqual([clean, raw]);
    expect(
      await scroll('?relationshipTypes=DownstreamOf', {
        sourceFilter: either(raw, clean),
        destinationFilter: either(ann, raw),
      }),
    ).toEqual([clean]);
    const many = either(...Array.from({ length: 40 }, (_, i) => `urn:li:tag:${i}`));
    const tooMany = await catalog.post('/openapi/v3/relationship/scroll', {
      sourceFilter: many,
      destinationFilter: many,
    });
    expectRefusal(tooMany, 400, 'FILTER_INVALID', '/destinationFilter');
    const bad = await catalog.post('/openapi/v3/relationship/scroll', {
      sourceFilter: filter('colour', 'x'),
    });
    expectRefusal(bad, 400, 'FILTER_INVALID', '/sourceFilter/and/0/criteria/0/field');
  });

  it('lineage', async () => {
    const scroll = async (direction: string, urn: string) =>
      (await catalog.post(`/openapi/v3/lineage/scroll?direction=${direction}`, { urns: [urn] })).body.results;
    // The source of both relationships is what is downstream.
    const edge = (upstream: string, downstream: string, relationshipType: string) => ({
      upstream,
      downstream,
      relationshipType,
      source: end(downstream),
      destination: end(upstream),
    });
    const made = edge(raw, clean, 'DownstreamOf');
    const drawn = edge(clean, 'urn:li:chart:(looker,r)', 'Consumes');
    expect(await scroll('UPSTREAM', clean)).toEqual([made]);
    expect(await scroll('DOWNSTREAM', clean)).toEqual([drawn]);
    expect(await scroll('UPSTREAM', raw)).toEqual([]);
    const all = await catalog.post('/openapi/v3/lineage/scroll?count=1', {});
    expect(all.body.results).toEqual([drawn]);
    expectRefusal(
      await catalog.post('/openapi/v3/lineage/scroll', { urns: ['x'] }),
      400,
      'URN_MALFORMED',
      '/urns/0',
    );
  });

  it('events of all entities, newest first', async () => {
    const url = '/openapi/v2/timeseries/dataset/datasetprofile';
    const pages = await pagesOf(catalog, `${url}?count=4`);
    const events = pages.flatMap((page) => page.results as any[]);
    expect(events).toHaveLength(25);
    expect(new Set(events.map((event) => event.messageId)).size).toBe(25);
    const times = events.map((event) => event.timestampMillis as number);
    expect(times).toEqual(times.toSorted((x, y) => y - x));
    expect(events[0]).toEqual({
      timestampMillis: 1006,
      urn: raw,
      event: expect.objectContaining({ rowCount: 24, timestampMillis: 1006 }),
      messageId: 'm24',
    });
    const range = await catalog.get(`${url}?startTimeMillis=1001&endTimeMillis=1001&systemMetadata=true`);
    expect(range.body.results.map((event: any) => event.event.rowCount).sort()).toEqual([4, 5, 6, 7]);
    expect(range.body.scrollId).toBeNull();
    expect(range.body.results[0].systemMetadata).toMatchObject({ runId: 'no-run-id-provided' });
    expectRefusal(
      await catalog.get('/openapi/v2/timeseries/dataset/status'),
      400,
      'ASPECT_KIND_WRONG',
      '/aspect',
    );
  });

  it('come in slices, each edge and event in one of them', async () => {
    const some = Array.from({ length: 24 }, (_, i) => dataset(`s.${i}`));
    await catalog.ingest(
      ...some.flatMap((urn): Array<[string, string, unknown]> => [
        [urn, 'ownership', { owners: [{ owner: 'urn:li:corpuser:sliced', type: 'DATAOWNER' }] }],
        [urn, 'operation', { timestampMillis: 1, operationType: 'INSERT', lastUpdatedTimestamp: 1 }],
      ]),
    );
    const owner = `/openapi/v3/relationship/corpuser/${encoded('urn:li:corpuser:sliced')}?direction=INCOMING`;
    for (const [url, urnOf] of [
      [owner, (edge: any) => edge.source.urn],
      ['/openapi/v2/timeseries/dataset/operation?', (event: any) => event.urn],
    ] as const) {
      const slices = await Promise.all(
        [0, 1, 2].map(async (id) => {
          const pages = await pagesOf(catalog, `${url}&count=5&sliceMax=3&sliceId=${id}`);
          return pages.flatMap(({ results }) => (results as any[]).map(urnOf));
        }),
      );
      for (const slice of slices) expect(slice.length).toBeGreaterThan(1);
      expect(slices.flat().toSorted()).toEqual(some.toSorted());
    }
    const { scrollId } = (await catalog.get(`${owner}&count=5&sliceMax=3&sliceId=0`)).body;
    const elsewhere = await catalog.get(`${owner}&count=5&sliceMax=3&sliceId=1&scrollId=${scrollId}`);
    expectRefusal(elsewhere, 400, 'PARAMETER_INVALID', '/scrollId');
  });
});

describe('the oldest version, and the registry', () => {
  let catalog: TestCatalog;
  const urn = dataset('v1.orders');
  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog.stop());

  it('writes, reads and deletes', async () => {
    const item = {
      entityType: 'dataset',
      entityUrn: urn,
      aspect: { __type: 'DatasetProperties', name: 'v1' },
    };
    const written = await catalog.post('/openapi/entities/v1/', [item]);
    expect([written.status, written.body]).toEqual([201, [urn]]);
    const again = await catalog.post('/openapi/entities/v1/', [item]);
    expect([again.status, again.body]).toEqual([200, []]);
    const latest = await catalog.get(
      `/openapi/entities/v1/latest?urns=${encoded(urn)}&aspectNames=datasetProperties`,
    );
    expect(latest.body.responses[urn]).toMatchObject({
      entityName: 'dataset',
      urn,
      aspects: {
        datasetKey: { value: { __type: 'DatasetKey', name: 'v1.orders' } },
        datasetProperties: {
          name: 'datasetProperties',
          version: 1,
          value: { __type: 'DatasetProperties', name: 'v1' },
        },
      },
    });
    const soft = await catalog.request('DELETE', `/openapi/entities/v1/?urns=${encoded(urn)}`);
    expect(soft.body[0].rowsRolledBack).toEqual([{ urn, entityName: 'dataset', aspectName: 'status' }]);
    expect(await catalog.read(urn, 'status')).toEqual({ removed: true });
    const hard = await catalog.request('DELETE', `/openapi/entities/v1/?soft=false&urns=${encoded(urn)}`);
    expect(hard.body[0].rowsDeletedFromEntityDeletion).toBeGreaterThan(3);
    expect((await catalog.get(path(urn))).status).toBe(404);
    expectRefusal(
      await catalog.post('/openapi/entities/v1', [{ ...item, aspect: { __type: 'Nothing' } }]),
      400,
      'ASPECT_UNKNOWN',
      '/0/aspect/__type',
    );
    expectRefusal(
      await catalog.post('/openapi/entities/v1', [{ ...item, aspect: { __type: 'Status', removed: 1 } }]),
      400,
      'ASPECT_INVALID',
      '/0/aspect/removed',
    );
  });

  it('takes a key that names its record for the URN', async () => {
    const key = {
      __type: 'DatasetKey',
      platform: 'urn:li:dataPlatform:hive',
      name: 'v1.keyed',
      origin: 'PROD',
    };
    const keyed = 'urn:li:dataset:(urn:li:dataPlatform:hive,v1.keyed,PROD)';
    const aspect = { __type: 'DatasetProperties', name: 'keyed' };
    const write = (item: object) =>
      catalog.post('/openapi/entities/v1/', [{ entityType: 'dataset', aspect, ...item }]);
    const written = await write({ entityKeyAspect: key });
    expect([written.status, written.body]).toEqual([201, [keyed]]);
    expect(await catalog.read(keyed, 'datasetProperties')).toMatchObject({ name: 'keyed' });
    const { __type: _, ...fields } = key;
    const again = await write({ entityKeyAspect: { value: JSON.stringify(fields) } });
    expect([again.status, again.body]).toEqual([200, []]);
    expect((await write({ entityUrn: keyed, entityKeyAspect: key })).status).toBe(200);

    const at = '/0/entityKeyAspect';
    const other = await write({ entityUrn: urn, entityKeyAspect: key });
    expectRefusal(other, 400, 'PROPOSAL_MALFORMED', at);
    const kind = await write({ entityKeyAspect: { ...key, __type: 'TagKey' } });
    expectRefusal(kind, 400, 'PROPOSAL_MALFORMED', `${at}/__type`);
    const place = await write({ entityKeyAspect: { ...key, origin: 'NOWHERE' } });
    expectRefusal(place, 400, 'URN_MALFORMED', at);
    const unknown = await write({ entityType: 'nothing', entityKeyAspect: key });
    expectRefusal(unknown, 400, 'ENTITY_UNKNOWN', '/0/entityType');
  });

  it('takes proposals of the aspect API', async () => {
    const proposal = {
      entityType: 'dataset',
      entityUrn: urn,
      changeType: 'UPSERT',
      aspectName: 'status',
      aspect: { value: '{"removed": false}', contentType: 'application/json' },
    };
    const { status, body } = await catalog.post('/openapi/v2/platform/entities/v1/', [proposal, proposal]);
    expect([status, body]).toEqual([200, [urn]]);
    expect(await catalog.read(urn, 'status')).toEqual({ removed: false });
    const typed = (value: object) =>
      catalog.post('/openapi/platform/entities/v1', [{ ...proposal, aspect: { value } }]);
    expect((await typed({ __type: 'Status', removed: true })).status).toBe(200);
    expect(await catalog.read(urn, 'status')).toEqual({ removed: true });
    for (const value of [{ removed: false }, { __type: 'Ownership', removed: false }])
      expectRefusal(await typed(value), 400, 'PROPOSAL_MALFORMED', '/0/aspect/value/__type');
    const wrong = await typed({ __type: 'Status', removed: 1 });
    expectRefusal(wrong, 400, 'ASPECT_INVALID', '/0/aspect/value/removed');
  });

  it('the registry lists entities and aspects', async () => {
    const base = '/openapi/v1/registry/models';
    const first = (await catalog.get(`${base}/entity/specifications?start=0&count=100`)).body;
    expect(first).toMatchObject({ start: 0, total: expect.any(Number) });
    expect(first.elements).toHaveLength(first.count as number);
    const one = first.elements.find((entity: any) => entity.name === 'dataset');
    expect(one).toMatchObject({ keyAspectName: 'datasetKey' });
    expect(one.aspectSpecs.map((spec: any) => spec.aspectAnnotation)).toContainEqual({
      name: 'status',
      schemaVersion: 1,
    });
    const named = (name: string) => one.aspectSpecs.find((spec: any) => spec.name === name);
    expect(named('status').relationshipFieldSpecs).toEqual([]);
    expect(named('ownership').relationshipFieldSpecs).toContainEqual({
      path: '/owners/*/owner',
      relationshipAnnotation: {
        name: 'OwnedBy',
        validDestinationTypes: ['corpuser', 'corpGroup'],
        isLineage: false,
      },
    });
    expect(named('upstreamLineage').relationshipFieldSpecs).toContainEqual({
      path: '/upstreams/*/dataset',
      relationshipAnnotation: {
        name: 'DownstreamOf',
        validDestinationTypes: ['dataset'],
        isLineage: true,
        isUpstream: true,
      },
    });
    expect((await catalog.get(`${base}/entity/specifications/DATASET`)).body).toEqual(one);
    const aspects = await catalog.get(`${base}/entity/specifications/tag/aspects?count=2&start=1`);
    expect(aspects.body).toMatchObject({ start: 1, count: 2 });
    const status = await catalog.get(`${base}/aspect/specifications/STATUS`);
    expect(status.body).toMatchObject({
      name: 'status',
      searchableFieldSpecs: expect.arrayContaining([
        {
          path: '/removed',
          searchableAnnotation: {
            fieldName: 'removed',
            fieldType: 'BOOLEAN',
            queryByDefault: false,
            addToFilters: false,
          },
        },
      ]),
      schema: { properties: { removed: { type: 'boolean' } } },
    });
    expect((await catalog.get(`${base}/aspect/specifications?count=1000`)).body.total).toBeGreaterThan(200);
    expectRefusal(await catalog.get(`${base}/aspect/specifications/x`), 400, 'ASPECT_UNKNOWN');
  });
});
