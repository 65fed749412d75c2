import { mkdtemp, rm } from 'node:fs/promises';
import { NoAuditLog } from '../../../catalog/audit/index.js';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SqliteDatabase } from '../../../adapters/database/index.js';
import type { Database } from '../../../catalog/store/index.js';
import { Model } from '../../../catalog/model/index.js';
import { parseUrn } from '../../../catalog/urn/index.js';
import { ProposalProcessor } from './proposal-processor.js';
import { GroupCommit } from './group-commit.js';

const model = Model.load();
const WRITERS = 8;
const WRITES = 12;

describe('GroupCommit in front of a server', () => {
  let folder: string;
  let database: SqliteDatabase;
  let transactions: number;
  let batcher: GroupCommit;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-'));
    database = await SqliteDatabase.open(join(folder, 'catalog.db'));
    transactions = 0;
    const server = Object.create(database, {
      dialect: { value: { ...database.dialect, name: 'mysql' } },
      // What comes meanwhile waits for the next one, as it does behind a network.
      transaction: {
        value: async (...args: Parameters<Database['transaction']>) => {
          transactions += 1;
          await setTimeout(3);
          return database.transaction(...args);
        },
      },
    }) as Database;
    const writer = new ProposalProcessor(model);
    batcher = new GroupCommit(new NoAuditLog(server), server.dialect, writer, { committed: () => undefined });
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  const write = (name: string) => {
    const urn = parseUrn(`urn:li:tag:${name}`);
    const entity = model.findEntity('tag')!;
    const aspect = model.findAspect(entity, 'tagProperties')!;
    const proposal = { entity, urn, aspect, changeType: 'UPSERT' as const, value: { name } };
    const more = { systemMetadata: {}, pointer: '', valuePointer: '/aspect/value' };
    return batcher.submit({
      principal: { actor: 'urn:li:corpuser:ed', role: 'EDITOR' },
      proposals: [{ ...proposal, ...more }],
    });
  };

  it('lets writers who come back at once share the next transaction', async () => {
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let i = 0; i < WRITES; i++) {
          await write(`w${writer}.${i}`);
          // Each takes a little longer than the one before.
          for (let turn = 0; turn < writer; turn++) await setImmediate();
        }
      }),
    );
    const { count } = (await database.all<{ count: number }>('SELECT COUNT(*) AS count FROM entity'))[0]!;
    expect(count).toBe(WRITERS * WRITES);
    expect(transactions).toBeLessThan(WRITES * 1.5);
  });

  it('answers those who are there when the others stay away', async () => {
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(`first${writer}`)));
    await Promise.all([write('second0'), write('second1')]);
    expect(transactions).toBe(2);
  });

  it('lets a lone writer wait for nobody', async () => {
    for (let i = 0; i < 3; i++) await write(`alone${i}`);
    expect(transactions).toBe(3);
  });
});
