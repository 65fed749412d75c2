import { compatibilityWith } from '../../src/catalog/compatibility/index.js';
import { NoAuditLog } from '../../src/catalog/audit/index.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteDatabase } from '../../src/adapters/database/index.js';
import type { Principal } from '../../src/catalog/auth/index.js';
import type { ChangeType } from '../../src/catalog/change/index.js';
import type { SqlValue } from '../../src/catalog/store/index.js';
import { Database } from '../../src/catalog/store/index.js';
import { Model } from '../../src/catalog/model/index.js';
import { DefaultPlatformInstance } from '../../src/modules/entities/default-platform-instance.js';
import { IngestService } from '../../src/modules/ingest/ingest.service.js';
import { ProposalParser } from '../../src/modules/ingest/proposal-parser.js';
import { ProposalProcessor } from '../../src/modules/ingest/write/proposal-processor.js';
import type { WriteExtension } from '../../src/modules/ingest/write/write-extensions.js';
import { GroupCommit } from '../../src/modules/ingest/write/group-commit.js';
import { RemovalPolicy } from '../../src/modules/lifecycle/marks/removal.policy.js';
import { OwnerTypesCompletion } from '../../src/modules/ownership/owner-types.completion.js';
import { DefaultBrowsePath } from '../../src/modules/search/default-browse-path.js';

/** What modules add to every write, as far as the model alone decides it. */
export const writeRules = (): WriteExtension[] => [
  new OwnerTypesCompletion(),
  new DefaultPlatformInstance(),
  new DefaultBrowsePath(),
  new RemovalPolicy({ compatibility: compatibilityWith('specification') }),
];

export const EDITOR: Principal = { actor: 'urn:li:corpuser:ed', role: 'EDITOR' };
export const READER: Principal = { actor: 'urn:li:corpuser:ann', role: 'READER' };

/** A store of its own in a temporary folder, written through the real front door, without any surface. */
export class CatalogStore {
  private constructor(
    private readonly folder: string,
    readonly database: CountingDatabase,
    readonly model: Model,
    readonly ingest: IngestService,
  ) {}

  static async open(): Promise<CatalogStore> {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-'));
    const database = new CountingDatabase(await SqliteDatabase.open(join(folder, 'catalog.db')));
    const model = (CatalogStore.model ??= Model.load());
    const writer = new ProposalProcessor(model);
    for (const rule of writeRules()) writer.extendBy(rule);
    const ingest = new IngestService(
      model,
      writer,
      new GroupCommit(new NoAuditLog(database), database.dialect, writer, { committed: () => undefined }),
    );
    return new CatalogStore(folder, database, model, ingest);
  }

  private static model: Model | undefined;

  async put(
    urn: string,
    aspectName: string,
    value: unknown,
    changeType: ChangeType = 'UPSERT',
  ): Promise<void> {
    const raw = {
      entityType: urn.split(':')[2],
      entityUrn: urn,
      changeType,
      aspectName,
      ...(changeType !== 'DELETE' && { aspect: { json: value } }),
      systemMetadata: { runId: 'run-1', lastObserved: 1 },
    };
    await this.ingest.submit(EDITOR, [new ProposalParser(this.model).parse(raw, '')]);
  }

  async close(): Promise<void> {
    await this.database.close();
    await rm(this.folder, { recursive: true });
  }
}

/** Counts the statements of readers. */
export class CountingDatabase extends Database {
  statements = 0;

  constructor(private readonly inner: Database) {
    super();
  }
  get dialect() {
    return this.inner.dialect;
  }
  all<R extends object>(sql: string, params?: readonly SqlValue[]): Promise<R[]> {
    this.statements++;
    return this.inner.all<R>(sql, params);
  }
  override version(): number | undefined {
    return this.inner.version();
  }
  transaction: Database['transaction'] = (work) => this.inner.transaction(work);
  snapshot: Database['snapshot'] = (work) => this.inner.snapshot(work);
  trouble = () => this.inner.trouble();
  close = () => this.inner.close();
}
