import { mkdtemp, rm } from 'node:fs/promises';
import { NoAuditLog } from '../../catalog/audit/index.js';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeRules } from '../../../test/harness/catalog-store.js';
import { SqliteDatabase } from '../../adapters/database/index.js';
import type { Principal } from '../../catalog/auth/index.js';
import { readWriteHeaders, type ChangeProposal, type ChangeType } from '../../catalog/change/index.js';
import { ProposalPolicy } from '../../catalog/extension/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { Model } from '../../catalog/model/index.js';
import { parseUrn } from '../../catalog/urn/index.js';
import { IngestService } from './ingest.service.js';
import { ProposalProcessor } from './write/proposal-processor.js';
import { GroupCommit } from './write/group-commit.js';

const model = Model.load();
const EDITOR: Principal = { actor: 'urn:li:corpuser:ed', role: 'EDITOR' };
const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.orders,PROD)';

class NoBadName extends ProposalPolicy {
  readonly aspects = ['tagProperties'];
  async judge(_p: ChangeProposal, context: { next: Record<string, unknown> | undefined }): Promise<void> {
    if (context.next?.['name'] === 'bad') throw refuse('RULE_VIOLATED', 'bad name', '/name');
  }
}

describe('IngestService', () => {
  let folder: string;
  let database: SqliteDatabase;
  let service: IngestService;
  let newest: number[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-'));
    database = await SqliteDatabase.open(join(folder, 'catalog.db'));
    newest = [];
    const writer = new ProposalProcessor(model);
    for (const rule of [...writeRules(), new NoBadName()]) writer.extendBy(rule);
    service = new IngestService(
      model,
      writer,
      new GroupCommit(new NoAuditLog(database), database.dialect, writer, {
        committed: (id) => newest.push(Number(id)),
      }),
    );
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  function proposal(
    urn: string,
    aspect: string,
    value?: unknown,
    changeType: ChangeType = 'UPSERT',
    more: Partial<ChangeProposal> = {},
  ): ChangeProposal {
    const parsed = parseUrn(urn);
    const entity = model.findEntity(parsed.type);
    const spec = entity && model.findAspect(entity, aspect);
    if (!entity || !spec) throw new Error(`no ${aspect} on ${urn}`);
    const base = { entity, urn: parsed, aspect: spec, changeType, value: structuredClone(value) };
    return { ...base, systemMetadata: {}, pointer: '', valuePointer: '/aspect/value', ...more };
  }
  const submit = (...proposals: ChangeProposal[]) => service.submit(EDITOR, proposals);
  const put = (urn: string, aspect: string, value: unknown) => submit(proposal(urn, aspect, value));
  const patch = (urn: string, aspect: string, body: unknown) => submit(proposal(urn, aspect, body, 'PATCH'));
  const rows = (sql: string, ...params: string[]) =>
    database.all<Record<string, unknown>>(sql, params).then((all) => all.map((row) => ({ ...row })));
  const read = async (urn: string, aspect: string): Promise<unknown> => {
    const [row] = await rows(
      'SELECT value FROM aspect JOIN entity ON entity.id = entity_id WHERE urn = ? AND aspect = ?',
      urn,
      aspect,
    );
    return row && JSON.parse(String(row['value']));
  };
  const history = (urn: string, aspect: string) =>
    rows(
      `SELECT h.version, h.value FROM aspect_history h JOIN entity ON entity.id = h.entity_id
       WHERE urn = ? AND aspect = ? ORDER BY h.version`,
      urn,
      aspect,
    );
  const edges = () =>
    rows(
      `SELECT s.urn AS source, r.type, t.urn AS target FROM relationship r
       JOIN entity s ON s.id = r.source_id JOIN entity t ON t.id = r.target_id ORDER BY 1, 2, 3`,
    );
  const log = () =>
    rows(
      'SELECT urn, aspect, change_type, change_log.sequence, version_after FROM change_log JOIN entity ON entity.id = entity_id ORDER BY change_log.id',
    );

  describe('creating', () => {
    it('brings an entity to life with its key and its other default aspects', async () => {
      await put(ORDERS, 'status', { removed: false });
      const aspects = await rows('SELECT aspect FROM aspect ORDER BY aspect');
      expect(aspects.map((a) => a['aspect'])).toEqual([
        'browsePathsV2',
        'dataPlatformInstance',
        'datasetKey',
        'status',
      ]);
      expect(await read(ORDERS, 'datasetKey')).toEqual({
        platform: 'urn:li:dataPlatform:postgres',
        name: 'shop.public.orders',
        origin: 'PROD',
      });
      expect(await read(ORDERS, 'dataPlatformInstance')).toEqual({
        platform: 'urn:li:dataPlatform:postgres',
      });
      expect(await read(ORDERS, 'browsePathsV2')).toEqual({ path: [{ id: 'shop' }, { id: 'public' }] });
    });

    it('leaves a default out when the request brings the aspect itself', async () => {
      await submit(
        proposal(ORDERS, 'status', { removed: false }),
        proposal(ORDERS, 'browsePathsV2', { path: [{ id: 'mine' }] }),
      );
      expect(await read(ORDERS, 'browsePathsV2')).toEqual({ path: [{ id: 'mine' }] });
      expect(await history(ORDERS, 'browsePathsV2')).toEqual([]);
    });

    it('splits a dataset name where its platform says', async () => {
      await put('urn:li:dataPlatform:postgres', 'dataPlatformInfo', {
        name: 'postgres',
        type: 'RELATIONAL_DB',
        datasetNameDelimiter: '/',
      });
      await put('urn:li:dataset:(urn:li:dataPlatform:postgres,a/b.c/d,PROD)', 'status', { removed: false });
      expect(
        await read('urn:li:dataset:(urn:li:dataPlatform:postgres,a/b.c/d,PROD)', 'browsePathsV2'),
      ).toEqual({
        path: [{ id: 'a' }, { id: 'b.c' }],
      });
    });

    it('refuses to soft-delete what does not exist, and leaves nothing behind', async () => {
      await expect(put(ORDERS, 'status', { removed: true })).rejects.toMatchObject({
        code: 'ENTITY_NOT_FOUND',
      });
      expect(await rows('SELECT * FROM entity')).toEqual([]);
    });
  });

  describe('versions', () => {
    it('keeps every value ever written and counts from 1', async () => {
      for (const name of ['one', 'two', 'three']) await put('urn:li:tag:t', 'tagProperties', { name });
      expect(await read('urn:li:tag:t', 'tagProperties')).toEqual({ name: 'three' });
      expect(await history('urn:li:tag:t', 'tagProperties')).toEqual([
        { version: 1, value: '{"name":"one"}' },
        { version: 2, value: '{"name":"two"}' },
      ]);
    });

    it('does nothing for an equal value, whatever the order of its fields', async () => {
      await put('urn:li:tag:t', 'tagProperties', { name: 'a', description: 'b' });
      const before = await log();
      const [outcome] = await put('urn:li:tag:t', 'tagProperties', { description: 'b', name: 'a' });
      expect(outcome).toMatchObject({ changed: false, version: 1 });
      expect(await log()).toEqual(before);
    });

    it('says an equal value again for RESTATE, without a new version', async () => {
      await put('urn:li:tag:t', 'tagProperties', { name: 'a' });
      await submit(proposal('urn:li:tag:t', 'tagProperties', { name: 'a' }, 'RESTATE'));
      expect((await log()).at(-1)).toMatchObject({ change_type: 'RESTATE', version_after: 1 });
    });

    it('applies several writes of one aspect in order, in one request', async () => {
      const outcomes = await submit(
        ...['a', 'b', 'b', 'c'].map((name) => proposal('urn:li:tag:t', 'tagProperties', { name })),
      );
      expect(outcomes.map((o) => [o.changed, o.version])).toEqual([
        [true, 1],
        [true, 2],
        [false, 2],
        [true, 3],
      ]);
      expect(await history('urn:li:tag:t', 'tagProperties')).toHaveLength(2);
    });

    it('stores and completes system metadata', async () => {
      const systemMetadata = { runId: 'run-1', lastObserved: 5, properties: { a: 'b' } };
      await submit(proposal('urn:li:tag:t', 'tagProperties', { name: 'a' }, 'UPSERT', { systemMetadata }));
      const [again] = await submit(
        proposal('urn:li:tag:t', 'tagProperties', { name: 'b' }, 'UPSERT', {
          systemMetadata: { runId: 'run-2' },
        }),
      );
      expect(again?.systemMetadata).toMatchObject({
        runId: 'run-2',
        lastRunId: 'run-2',
        version: '2',
        aspectCreated: { actor: EDITOR.actor },
        aspectModified: { actor: EDITOR.actor },
      });
      const [first] = await rows("SELECT system_metadata FROM aspect_history WHERE aspect = 'tagProperties'");
      expect(JSON.parse(String(first?.['system_metadata']))).toMatchObject({
        ...systemMetadata,
        version: '1',
      });
    });
  });

  describe('change types', () => {
    it('CREATE refuses an aspect that is there', async () => {
      await submit(proposal('urn:li:tag:t', 'tagProperties', { name: 'a' }, 'CREATE'));
      await expect(
        submit(proposal('urn:li:tag:t', 'tagProperties', { name: 'b' }, 'CREATE')),
      ).rejects.toMatchObject({
        code: 'ASPECT_EXISTS',
        kind: 'conflict',
      });
      const [kept] = await submit(
        proposal('urn:li:tag:t', 'tagProperties', { name: 'b' }, 'CREATE', {
          ...readWriteHeaders({ 'if-none-match': '*' }, ''),
        }),
      );
      expect(kept).toMatchObject({ changed: false, value: { name: 'a' } });
    });

    it('CREATE_ENTITY refuses an entity that is there', async () => {
      await submit(proposal('urn:li:tag:t', 'tagKey', { name: 't' }, 'CREATE_ENTITY'));
      await expect(
        submit(proposal('urn:li:tag:t', 'tagKey', { name: 't' }, 'CREATE_ENTITY')),
      ).rejects.toMatchObject({ code: 'ENTITY_EXISTS' });
    });

    it('UPDATE refuses what is not there', async () => {
      await expect(
        submit(proposal('urn:li:tag:t', 'tagProperties', { name: 'a' }, 'UPDATE')),
      ).rejects.toMatchObject({
        code: 'ENTITY_NOT_FOUND',
      });
      expect(await rows('SELECT * FROM entity')).toEqual([]);
    });

    it('DELETE takes an aspect with its history, and is content when there is none', async () => {
      await put('urn:li:tag:t', 'tagProperties', { name: 'a' });
      await put('urn:li:tag:t', 'tagProperties', { name: 'b' });
      const [gone] = await submit(proposal('urn:li:tag:t', 'tagProperties', undefined, 'DELETE'));
      expect(gone).toMatchObject({ changed: true, version: 0 });
      expect(await history('urn:li:tag:t', 'tagProperties')).toEqual([]);
      const [again] = await submit(proposal('urn:li:tag:t', 'tagProperties', undefined, 'DELETE'));
      expect(again).toMatchObject({ changed: false });
    });

    it('DELETE of the key aspect takes the entity, and the sequence goes on over its grave', async () => {
      await put('urn:li:tag:t', 'tagProperties', { name: 'a' });
      const [before] = await rows('SELECT sequence FROM entity');
      await submit(proposal('urn:li:tag:t', 'tagKey', undefined, 'DELETE'));
      expect(await rows('SELECT * FROM aspect')).toEqual([]);
      expect(await rows('SELECT live FROM entity')).toEqual([{ live: 0 }]);
      await put('urn:li:tag:t', 'tagProperties', { name: 'b' });
      const [after] = await rows('SELECT sequence FROM entity');
      expect(Number(after?.['sequence'])).toBeGreaterThan(Number(before?.['sequence']));
      expect(await read('urn:li:tag:t', 'tagProperties')).toEqual({ name: 'b' });
    });

    it('deletes and writes again inside one request', async () => {
      await put('urn:li:tag:t', 'tagProperties', { name: 'a' });
      await put('urn:li:tag:t', 'status', { removed: true });
      await submit(
        proposal('urn:li:tag:t', 'tagKey', undefined, 'DELETE'),
        proposal('urn:li:tag:t', 'tagProperties', { name: 'new' }),
        proposal('urn:li:tag:t', 'tagProperties', { name: 'newer' }),
      );
      expect(await rows('SELECT aspect, version FROM aspect ORDER BY aspect')).toEqual([
        { aspect: 'tagKey', version: 1 },
        { aspect: 'tagProperties', version: 2 },
      ]);
      expect(await rows('SELECT live, removed FROM entity')).toEqual([{ live: 1, removed: 0 }]);
    });

    it('follows the status aspect', async () => {
      const removed = async () => (await rows('SELECT removed FROM entity'))[0]?.['removed'];
      await put('urn:li:tag:t', 'tagProperties', { name: 'a' });
      await put('urn:li:tag:t', 'status', { removed: true });
      expect(await removed()).toBe(1);
      await submit(proposal('urn:li:tag:t', 'status', undefined, 'DELETE'));
      expect(await removed()).toBe(0);
    });
  });

  describe('all or nothing', () => {
    it('writes nothing of a batch of which one proposal is refused', async () => {
      await put('urn:li:tag:old', 'tagProperties', { name: 'old' });
      const before = [await rows('SELECT * FROM entity'), await rows('SELECT * FROM aspect'), await log()];
      await expect(
        submit(
          proposal('urn:li:tag:old', 'tagProperties', { name: 'changed' }),
          proposal('urn:li:tag:new', 'tagProperties', { name: 'new' }),
          proposal('urn:li:tag:old', 'tagKey', undefined, 'DELETE'),
          proposal('urn:li:tag:old', 'tagProperties', { name: 'again' }),
          proposal('urn:li:tag:x', 'tagProperties', { name: 'bad' }),
        ),
      ).rejects.toMatchObject({ code: 'RULE_VIOLATED' });
      expect([await rows('SELECT * FROM entity'), await rows('SELECT * FROM aspect'), await log()]).toEqual(
        before,
      );
    });

    it('keeps neighbours of a refused submission that shared its transaction', async () => {
      const results = await Promise.allSettled(
        Array.from({ length: 40 }, (_, i) =>
          submit(
            proposal(`urn:li:tag:t${i % 7}`, 'tagProperties', { name: `n${i}` }),
            proposal(`urn:li:tag:u${i}`, 'tagProperties', { name: i % 3 === 0 ? 'bad' : 'good' }),
          ),
        ),
      );
      expect(results.filter((r) => r.status === 'rejected')).toHaveLength(14);
      const tags = await rows("SELECT urn FROM entity WHERE urn LIKE 'urn:li:tag:u%'");
      expect(tags).toHaveLength(26);
      // 26 accepted writes over 7 tags: each tag's versions are 1..n without a gap.
      const versions = await rows(
        "SELECT SUM(version) AS n FROM aspect JOIN entity ON id = entity_id WHERE aspect = 'tagProperties' AND urn LIKE 'urn:li:tag:t%'",
      );
      expect(versions).toEqual([{ n: 26 }]);
      expect(new Set(newest).size).toBe(newest.length);
    });

    it('points to what is wrong', async () => {
      await expect(
        submit(
          proposal('urn:li:tag:t', 'tagProperties', { name: 5, colour: 'x' }, 'UPSERT', {
            pointer: '/proposals/3',
          }),
        ),
      ).rejects.toMatchObject({
        code: 'ASPECT_INVALID',
        errors: expect.arrayContaining([
          expect.objectContaining({ pointer: '/proposals/3/aspect/value/name' }),
          expect.objectContaining({ pointer: '/proposals/3/aspect/value/colour' }),
        ]),
      });
    });

    it('refuses a reader', async () => {
      const reader: Principal = { actor: 'urn:li:corpuser:r', role: 'READER' };
      await expect(
        service.submit(reader, [proposal('urn:li:tag:t', 'tagProperties', { name: 'a' })]),
      ).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    });
  });

  describe('relationships', () => {
    const upstream = (dataset: string) => ({ dataset, type: 'TRANSFORMED' });
    const raw = (n: number) => `urn:li:dataset:(urn:li:dataPlatform:s3,raw${n},PROD)`;

    it('follow the aspect, and survive the deletion of their target', async () => {
      await put(ORDERS, 'upstreamLineage', { upstreams: [upstream(raw(1)), upstream(raw(2))] });
      await put(ORDERS, 'upstreamLineage', { upstreams: [upstream(raw(2)), upstream(raw(3))] });
      expect((await edges()).filter((e) => e['type'] === 'DownstreamOf')).toEqual([
        { source: ORDERS, type: 'DownstreamOf', target: raw(2) },
        { source: ORDERS, type: 'DownstreamOf', target: raw(3) },
      ]);
      await put(raw(2), 'status', { removed: false });
      await submit(proposal(raw(2), 'datasetKey', undefined, 'DELETE'));
      expect((await edges()).filter((e) => e['type'] === 'DownstreamOf')).toHaveLength(2);
      await submit(proposal(ORDERS, 'datasetKey', undefined, 'DELETE'));
      expect((await edges()).filter((e) => e['source'] === ORDERS)).toEqual([]);
    });

    it('completes ownership with the owners by type', async () => {
      await put(ORDERS, 'ownership', {
        owners: [{ owner: 'urn:li:corpuser:a', type: 'DATAOWNER' }],
        ownerTypes: {},
      });
      expect(await read(ORDERS, 'ownership')).toMatchObject({
        ownerTypes: { 'urn:li:ownershipType:__system__dataowner': ['urn:li:corpuser:a'] },
      });
    });
  });

  describe('patches', () => {
    const add = (path: string, value: unknown) => ({ op: 'add', path, value });

    it('create the aspect and the entity', async () => {
      await patch(ORDERS, 'glossaryTerms', [
        add('/terms/urn:li:glossaryTerm:a', { urn: 'urn:li:glossaryTerm:a' }),
      ]);
      expect(await read(ORDERS, 'glossaryTerms')).toMatchObject({
        terms: [{ urn: 'urn:li:glossaryTerm:a' }],
        auditStamp: { actor: EDITOR.actor },
      });
    });

    it('of different keys both survive when they come at the same moment', async () => {
      const tags = Array.from({ length: 30 }, (_, i) => `urn:li:tag:t${i}`);
      await Promise.all(tags.map((tag) => patch(ORDERS, 'globalTags', [add(`/tags/${tag}`, { tag })])));
      const stored = (await read(ORDERS, 'globalTags')) as { tags: Array<{ tag: string }> };
      // They may be carried out in any order.
      expect(stored.tags.map(({ tag }) => tag).sort()).toEqual(tags.sort());
    });

    it('are checked like any other write', async () => {
      await expect(patch(ORDERS, 'globalTags', [add('/tags/x', { tag: 'x' })])).rejects.toMatchObject({
        code: 'ASPECT_INVALID',
      });
      await expect(patch(ORDERS, 'globalTags', { patch: [{ op: 'fly', path: '/x' }] })).rejects.toMatchObject(
        {
          code: 'PATCH_MALFORMED',
          errors: [{ pointer: '/aspect/value/patch/0' }],
        },
      );
      await expect(
        patch(ORDERS, 'datasetProperties', [{ op: 'test', path: '/name', value: 'x' }]),
      ).rejects.toMatchObject({ code: 'PATCH_NOT_APPLICABLE' });
      expect(await rows('SELECT * FROM entity')).toEqual([]);
    });

    it('that only take away from what is not there change nothing', async () => {
      const [outcome] = await patch(ORDERS, 'globalTags', [
        { op: 'remove', path: '/tags/urn:li:tag:x', value: {} },
      ]);
      expect(outcome).toMatchObject({ changed: false });
      expect(await rows('SELECT * FROM entity')).toEqual([]);
    });
  });

  describe('time series', () => {
    it('stores one row for each event; the same event again replaces itself', async () => {
      const profile = (timestampMillis: number, rowCount: number) => ({ timestampMillis, rowCount });
      await put(ORDERS, 'datasetProfile', profile(1, 10));
      await put(ORDERS, 'datasetProfile', profile(2, 20));
      await put(ORDERS, 'datasetProfile', profile(2, 21));
      const events = await rows('SELECT time, value FROM timeseries_aspect ORDER BY time');
      expect(events.map((e) => [e['time'], JSON.parse(String(e['value']))])).toMatchObject([
        [1, { rowCount: 10 }],
        [2, { rowCount: 21 }],
      ]);
      expect(await read(ORDERS, 'datasetKey')).toBeDefined();
    });
  });

  describe('conditions', () => {
    const conditional = (version: number) =>
      submit(
        proposal('urn:li:tag:t', 'tagProperties', { name: String(Math.random()) }, 'UPSERT', {
          conditions: [{ kind: 'version', version, pointer: '/headers/If-Version-Match' }],
        }),
      );

    it('hold inside the transaction', async () => {
      await conditional(-1);
      await expect(conditional(-1)).rejects.toMatchObject({
        code: 'PRECONDITION_FAILED',
        message: expect.stringContaining('current version is 1'),
      });
      const results = await Promise.allSettled(Array.from({ length: 10 }, () => conditional(1)));
      expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(1);
    });
  });
});
