import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { CatalogStore } from '../../../test/harness/catalog-store.js';
import { until } from '../../../test/harness/until.js';
import type { AccessPolicies } from '../../catalog/auth/index.js';
import type { CatalogSettings } from '../../catalog/settings.js';
import type { EntityNames } from '../entities/index.js';
import type { IngestService } from '../ingest/index.js';
import { ReceiptWorker } from './receipt-worker.js';
import { WriteReceiptRepository } from './write-receipt.repository.js';

const CALLER = { actor: 'urn:li:corpuser:ed', role: 'EDITOR' } as const;

describe('accepted writes that come all the time', () => {
  let store: CatalogStore;
  let receipts: WriteReceiptRepository;
  let worker: ReceiptWorker;
  let accepted = 0;

  const accept = (urn: string) =>
    receipts.add(
      `trace ${(accepted += 1)}`,
      CALLER,
      JSON.stringify([{ entity: 'tag', urn, aspect: 'tagProperties' }]),
      { items: [{ urn, aspect: 'tagProperties' }] },
      undefined,
      undefined,
    );

  beforeEach(async () => {
    Logger.overrideLogger(false);
    store = await CatalogStore.open();
    receipts = new WriteReceiptRepository(store.database);
    // Another write is accepted for each that is carried out.
    const ingest = {
      submit: async (_caller: unknown, _proposals: unknown, { settle }: { settle: Settle }) => {
        await accept(`urn:li:tag:${accepted}`);
        await store.database.transaction((tx) => settle(tx, []));
      },
    };
    const policies = { applyTo: async (principal: object) => principal };
    worker = new ReceiptWorker(
      receipts,
      ingest as unknown as IngestService,
      { target: () => ({}) } as unknown as EntityNames,
      policies as unknown as AccessPolicies,
      { role: 'all' } as CatalogSettings,
    );
  });
  afterEach(async () => {
    await worker.beforeApplicationShutdown();
    await store.close();
    Logger.overrideLogger(true);
  });

  it('do not keep one from its turn that gave way to them', async () => {
    await accept('urn:li:tag:tried');
    await store.database.transaction((tx) => tx.run('UPDATE write_receipt SET attempts = 2'));
    await accept('urn:li:tag:other');
    worker.onApplicationBootstrap();
    await until(async () => (await receipts.find('trace 1'))?.state === 'COMMITTED');
    expect(accepted).toBeGreaterThan(2);
  });
});

type Settle = (tx: unknown, outcomes: readonly unknown[]) => Promise<void>;
