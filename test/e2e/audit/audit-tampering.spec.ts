import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/catalog/store/index.js';
import { hashOf, hashOfStart } from '../../../src/modules/audit/audit-chain.js';
import { TestCatalog } from '../../harness/catalog.js';

/** What somebody with the database at hand may do to the audit log. */
describe('the audit log notices', () => {
  let catalog: TestCatalog;
  const sql = (text: string, parameters: Array<string | number> = []) =>
    catalog.provider(Database).transaction((tx) => tx.run(text, parameters));
  const rows = () =>
    catalog
      .provider(Database)
      .all<{ id: number; chain: string; number: number; time: number }>(
        'SELECT id, chain, number, time FROM audit ORDER BY chain, number',
      );
  const verify = async (): Promise<any> =>
    (await catalog.post('/operations?action=verifyAudit', {})).body.value;
  let written = 0;
  const write = async (count: number) => {
    for (let i = 0; i < count; i++)
      await catalog.propose(`urn:li:tag:kept.${++written}`, 'tagProperties', { name: 'n' });
  };
  /** A restart notes how far the chains have come. */
  const restart = async () => {
    await catalog.stop({ keepHome: true });
    catalog = await TestCatalog.start({}, catalog.home);
  };
  /** The longest chain, and a record in the middle of it. */
  const middle = async () => {
    const chains = [...Map.groupBy(await rows(), ({ chain }) => chain).values()];
    const longest = chains.sort((a, b) => b.length - a.length)[0]!;
    const { chain, number, id } = longest[Math.floor(longest.length / 2)]!;
    return { chain, number: Number(number), id: Number(id), length: longest.length };
  };

  beforeEach(async () => {
    catalog = await TestCatalog.start();
    await write(12);
  });
  afterEach(() => catalog.stop());

  it('nothing, where nothing was done, after many writers and over restarts', async () => {
    await restart();
    await Promise.all(Array.from({ length: 4 }, () => write(20)));
    await restart();
    await write(3);
    const { faultCount, records, chains, ends } = await verify();
    expect({ faultCount, records: records >= 95, chains: chains >= 3 }).toEqual({
      faultCount: 0,
      records: true,
      chains: true,
    });
    expect(ends).toHaveLength(chains);
  });

  it.each(['actor', 'address', 'agent', 'source', 'request', 'events', 'hash'])(
    'a record whose %s was changed',
    async (column) => {
      const { chain, number, id } = await middle();
      await sql(`UPDATE audit SET ${column} = 'forged' WHERE id = ?`, [id]);
      const { faults } = await verify();
      expect(faults).toContainEqual(expect.objectContaining({ kind: 'changed', chain, from: number }));
    },
  );

  it('a record that is missing, also with the numbers behind it closed up', async () => {
    const { chain, number, id } = await middle();
    await sql('DELETE FROM audit WHERE id = ?', [id]);
    expect((await verify()).faults).toEqual([
      expect.objectContaining({ kind: 'missing', chain, from: number, to: number }),
    ]);
    await sql('UPDATE audit SET number = number - 1 WHERE chain = ? AND number > ?', [chain, number]);
    expect((await verify()).faults).toContainEqual(
      expect.objectContaining({ kind: 'changed', chain, from: number }),
    );
  });

  it('records that are missing at the end of a chain', async () => {
    const { chain, length } = await middle();
    await restart();
    await sql('DELETE FROM audit WHERE chain = ? AND number > ?', [chain, length - 2]);
    expect((await verify()).faults).toContainEqual(
      expect.objectContaining({ kind: 'missing', chain, from: length - 1, to: length }),
    );
  });

  it('records that were written a moment ago and are missing at the end of a chain', async () => {
    const { chain, length } = await middle();
    await sql('DELETE FROM audit WHERE chain = ? AND number = ?', [chain, length]);
    expect((await verify()).faults).toEqual([
      expect.objectContaining({ kind: 'missing', chain, from: length, to: length }),
    ]);
  });

  it('a chain that is missing, and one that was added', async () => {
    const { chain } = await middle();
    await restart();
    await write(1);
    await sql('DELETE FROM audit_chain WHERE chain = ?', [chain]);
    const kinds = (await verify()).faults.map((fault: any) => [fault.kind, fault.chain]);
    expect(kinds).toContainEqual(['unknown chain', chain]);
    await sql('DELETE FROM audit WHERE chain = ?', [chain]);
    expect((await verify()).faults.map((fault: any) => [fault.kind, fault.chain])).toContainEqual([
      'missing chain',
      chain,
    ]);
  });

  it('nothing in records of earlier versions, which name each event on its own, and a change of one', async () => {
    const [last] = await catalog
      .provider(Database)
      .all<Record<'parent' | 'parent_hash', string> & { parent_number: number }>(
        'SELECT chain AS parent, number AS parent_number, hash AS parent_hash FROM audit ORDER BY id DESC LIMIT 1',
      );
    const started = { chain: 'former', ...last!, parent_number: Number(last!.parent_number), started_at: 1 };
    const [start, time] = [hashOfStart(started), Date.now()];
    const events = JSON.stringify(
      ['status', 'tagProperties'].map((aspect) => [
        'UpdateAspectEvent',
        'urn:li:tag:former',
        aspect,
        { version: 1 },
      ]),
    );
    const said = { chain: 'former', number: 1, time, actor: 'urn:li:corpuser:ann', address: '127.0.0.1' };
    const row = { ...said, agent: '', source: 'RESTLI', request: 'r', events };
    const insert = (table: string, values: Record<string, string | number>) =>
      sql(
        `INSERT INTO ${table} (${Object.keys(values).join(', ')}) VALUES (${Object.keys(values).fill('?').join(', ')})`,
        Object.values(values),
      );
    await insert('audit_chain', {
      ...{ ...started, number: 0, hash: start },
      ...{ removed_number: 0, removed_hash: start, removed_until: 0 },
    });
    await insert('audit', { ...row, event_count: 2, hash: hashOf(row, start) });
    expect((await verify()).faults).toEqual([]);
    const { body } = await catalog.post('/openapi/v1/events/audit/search', {
      actorUrns: ['urn:li:corpuser:ann'],
      aspectTypes: ['status'],
    });
    expect(body.usageEvents).toEqual([
      expect.objectContaining({ entityUrn: 'urn:li:tag:former', aspectName: 'status' }),
    ]);
    await sql("UPDATE audit SET events = REPLACE(events, 'status', 'domains') WHERE chain = 'former'");
    expect((await verify()).faults).toEqual([expect.objectContaining({ kind: 'changed', chain: 'former' })]);
  });
});
