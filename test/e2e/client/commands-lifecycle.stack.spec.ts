import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Shop } from './shop.js';

const dataset = Shop.dataset;

describe("the field's command line, unmodified: deletion, timeline, upkeep", () => {
  let shop: Shop;
  const datahub = (...args: string[]): Promise<string> => shop.client.datahub(...args);

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop?.close());

  describe('delete', () => {
    const made = async (name: string): Promise<string> => {
      await shop.put(dataset(name), 'datasetProperties', { name, description: 'breakable' });
      return dataset(name);
    };

    it('softly, and undone', async () => {
      const urn = await made('plates');
      expect(await datahub('delete', '--urn', urn, '--soft')).toMatch(/^Soft deleted 1 entities/);
      expect(await shop.client.aspect(urn, 'status')).toEqual({ removed: true });
      expect(await shop.search('dataset', 'plates')).toEqual([]);
      await datahub('delete', 'undo-by-filter', '--urn', urn, '-f');
      expect(await shop.client.aspect(urn, 'status')).toEqual({ removed: false });
      expect(await shop.search('dataset', 'plates')).toEqual([urn]);
    });

    it('hard, with everything', async () => {
      const urn = await made('saucers');
      await shop.put(urn, 'datasetProfile', { timestampMillis: 1_700_000_000_000, rowCount: 5 });
      expect(await datahub('delete', '--urn', urn, '--hard', '-f', '-n')).toContain(
        '[Dry-run] Would delete 1 entities',
      );
      expect(await shop.exists(urn)).toBe(true);
      expect(await datahub('delete', '--urn', urn, '--hard', '-f')).toMatch(
        /^Hard deleted 1 entities \(impacts 4 versioned rows and 1 timeseries aspect rows\)/,
      );
      expect(await shop.exists(urn)).toBe(false);
      expect(await shop.search('dataset', 'saucers')).toEqual([]);
    });

    it('by a file of URNs', async () => {
      const urns = [await made('forks'), await made('spoons')];
      const list = await shop.file('urns.txt', `${urns.join('\n')}\n`);
      expect(await datahub('delete', '--urn-file', list, '--soft', '--force')).toContain(
        'Soft deleted 2 entities',
      );
      expect(await shop.client.aspect(urns[1] as string, 'status')).toEqual({ removed: true });
      expect(await datahub('delete', '--urn-file', list, '--hard', '--force', '--workers', '2')).toContain(
        'Hard deleted 2 entities',
      );
      expect(await Promise.all(urns.map((urn) => shop.exists(urn)))).toEqual([false, false]);
    });

    it('a stretch of a time series', async () => {
      const urn = await made('kettles');
      await shop.put(urn, 'datasetProfile', { timestampMillis: Date.UTC(2023, 5, 1), rowCount: 1 });
      await shop.put(urn, 'datasetProfile', { timestampMillis: Date.UTC(2022, 5, 1), rowCount: 2 });
      const range = ['--start-time', '2023-01-01', '--end-time', '2024-01-01'];
      const printed = await datahub('delete', '--urn', urn, '-a', 'datasetProfile', '--hard', '-f', ...range);
      expect(printed).toContain('0 versioned rows and 1 timeseries aspect rows');
      expect(await shop.client.aspect(urn, 'datasetProfile')).toMatchObject({ rowCount: 2 });
    });

    it('references, first counted', async () => {
      const tag = 'urn:li:tag:delicate';
      await shop.put(tag, 'tagProperties', { name: 'delicate' });
      const urn = await made('vases');
      await shop.put(urn, 'globalTags', { tags: [{ tag }, { tag: 'urn:li:tag:hot' }] });
      const dry = await datahub('delete', 'references', '--urn', tag, '-n');
      expect(dry).toContain(`Found 1 references to ${tag}`);
      expect(dry).toMatch(/TaggedWith +urn:li:dataset:\S+shop\.vases,PROD\) +globalTags/);
      expect((await shop.client.aspect(urn, 'globalTags')).tags).toHaveLength(2);
      await datahub('delete', 'references', '--urn', tag, '-f');
      expect(await shop.client.aspect(urn, 'globalTags')).toEqual({ tags: [{ tag: 'urn:li:tag:hot' }] });
      expect(await datahub('delete', 'references', '--urn', tag, '-f')).toContain(
        `No references to ${tag} found`,
      );
      expect(await shop.exists(tag)).toBe(true);
    });

    it('a term, with what refers to it', async () => {
      const term = 'urn:li:glossaryTerm:Porcelain';
      await shop.put(term, 'glossaryTermInfo', { definition: 'Thin', termSource: 'INTERNAL' });
      const urn = await made('figures');
      await shop.put(urn, 'glossaryTerms', {
        terms: [{ urn: term }],
        auditStamp: { time: 1, actor: 'urn:li:corpuser:ada' },
      });
      const printed = await datahub('delete', '--urn', term, '--hard', '-f');
      expect(printed).toContain('cleaned up 1 referenced entities');
      expect(await shop.exists(term)).toBe(false);
      expect((await shop.client.aspect(urn, 'glossaryTerms')).terms).toEqual([]);
    });
  });

  it('timeline', async () => {
    const urn = dataset('trays');
    const stamp = { time: 1, actor: 'urn:li:corpuser:ada' };
    await shop.put(urn, 'datasetProperties', { name: 'trays', description: 'To carry' });
    await shop.put(urn, 'datasetProperties', { name: 'trays', description: 'To carry cups' });
    await shop.put(urn, 'globalTags', { tags: [{ tag: 'urn:li:tag:hot' }] });
    await shop.put(urn, 'globalTags', { tags: [] });
    await shop.put(urn, 'glossaryTerms', {
      terms: [{ urn: 'urn:li:glossaryTerm:Crockery' }],
      auditStamp: stamp,
    });
    await shop.put(urn, 'ownership', {
      owners: [{ owner: 'urn:li:corpuser:ada', type: 'DATAOWNER' }],
      lastModified: stamp,
    });

    const all = await datahub(
      'timeline',
      '--urn',
      urn,
      '-c',
      'tag',
      '-c',
      'owner',
      '-c',
      'documentation',
      '-c',
      'glossary_term',
      '-c',
      'technical_schema',
    );
    const events = [...all.matchAll(/^\t(\w+) (\w+) /gm)].map(
      ([, operation, category]) => `${operation} ${category}`,
    );
    expect(events).toEqual([
      'ADD DOCUMENTATION',
      'MODIFY DOCUMENTATION',
      'ADD TAG',
      'REMOVE TAG',
      'ADD GLOSSARY_TERM',
      'ADD OWNERSHIP',
    ]);
    const verbose = await datahub(
      'timeline',
      '--urn',
      urn,
      '-c',
      'tag',
      '--verbose',
      '--start',
      '7daysago',
      '--raw',
    );
    const transactions = JSON.parse(verbose.slice(verbose.indexOf('\n') + 1));
    expect(transactions).toHaveLength(2);
    expect(transactions[0]).toMatchObject({
      timestamp: expect.any(Number),
      semVer: expect.stringMatching(/^\d+\.\d+\.\d+-computed$/),
      changeEvents: [{ category: 'TAG', operation: 'ADD', entityUrn: urn, modifier: 'urn:li:tag:hot' }],
    });
    const past = await datahub(
      'timeline',
      '--urn',
      urn,
      '-c',
      'tag',
      '--verbose',
      '--start',
      '14daysago',
      '--end',
      '7daysago',
    );
    expect(JSON.parse(past.slice(past.indexOf('\n') + 1))).toEqual([]);
  });

  it('check restore-indices', async () => {
    const [urns, user] = [[dataset('mugs'), dataset('jars')], 'urn:li:corpuser:ada'];
    for (const urn of urns) await shop.put(urn, 'datasetProperties', { name: 'mugs and jars' });
    await shop.put(user, 'corpUserInfo', { active: true });
    const restore = (...more: string[]) => datahub('check', 'restore-indices', ...more);
    await restore('--urn', dataset('mugs'));
    await restore(
      '--urn',
      'urn:li:dataset:%',
      '--aspect',
      'datasetProperties',
      '--start',
      '0',
      '--batch-size',
      '10',
    );
    await restore('--file', await shop.file('restore.txt', `${dataset('mugs')}\n${user}\n`));
    expect((await shop.search('dataset', 'mugs and jars')).sort()).toEqual(urns.sort());
  });

  it('state inspect finds no state', async () => {
    const ended = await shop.client.attempt([
      'state',
      'inspect',
      '--pipeline-name',
      'no',
      '--platform',
      'mysql',
    ]);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('No ingestion state found');
  });

  it('leaves nothing in the log of the service', () => {
    expect(shop.service.log).toBe('');
  });
});
