import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import {
  ChangeLogConsumer,
  type ChangeLogEntry,
  type ChangeLogHeading,
} from '../../../catalog/change/index.js';
import { SearchFieldProvider, type FieldsOfEntity } from '../../../catalog/extension/index.js';
import { Model, type EntitySpec } from '../../../catalog/model/index.js';
import {
  addFieldsInSteps,
  addFieldsOf,
  searchDocument,
  searchDocumentInSteps,
  SearchIndex,
  type IndexedVersion,
  type SearchDocument,
} from '../../../catalog/search/index.js';
import { EntityStateReader, type EntityState } from '../../../catalog/store/index.js';
import { discovered } from '../../entities/index.js';
import {
  AdaptiveBatch,
  BackgroundThrottle,
  inTurns,
  mapInSlices,
  PortionSize,
  TimeSlices,
} from '../../../catalog/schedule/index.js';
import { SEARCH_INDEX_CONSUMER } from './consumer-index-barrier.js';
import { IndexPast } from './index-past.service.js';

type Target = Pick<SearchIndex, 'upsert' | 'remove' | 'settle'>;

interface Batch {
  documents: SearchDocument[];
  removals: IndexedVersion[];
  /** Of the texts in the documents. */
  characters: number;
}

const emptyBatch = (): Batch => ({ documents: [], removals: [], characters: 0 });

/** Documents that are made at once: however busy the thread is, and while it is idle. */
const LEAST = 100;
const MOST = 150;

/** Values of a field from which on a document is made in steps. */
const MANY_VALUES = 5_000;

/** Characters of documents that are written together. */
const WRITTEN_TOGETHER = 4 * 1024 * 1024;

/** Many are written in parts of at least so many: the index writes one while the next is made, and each costs a commit. */
const LEAST_WRITTEN = 1_000;

/** Keeps the search index like the store: for whatever has changed, the document of its current state. */
@Injectable()
export class SearchIndexer extends ChangeLogConsumer implements OnModuleInit {
  readonly name = SEARCH_INDEX_CONSUMER;
  private providers: SearchFieldProvider[] = [];
  private readonly batches: AdaptiveBatch;
  /** Wide tables have a hundred times as much as others: a hundred of them would hold the thread for seconds. */
  private readonly portions = new PortionSize(MOST);

  constructor(
    private readonly model: Model,
    private readonly states: EntityStateReader,
    private readonly index: SearchIndex,
    private readonly discovery: DiscoveryService,
    private readonly past: IndexPast,
    private readonly throttle: BackgroundThrottle,
  ) {
    super();
    this.batches = new AdaptiveBatch(throttle, { least: LEAST, most: Math.min(MOST, index.batch) });
  }

  onModuleInit(): void {
    this.providers = discovered(this.discovery, SearchFieldProvider);
  }

  /** Documents hold no time series. */
  override wants({ entityType, aspect }: Pick<ChangeLogHeading, 'entityType' | 'aspect'>): boolean {
    return this.model.entities.get(entityType)?.aspects.get(aspect)?.kind !== 'timeseries';
  }

  async consume(entries: readonly ChangeLogEntry[]): Promise<void> {
    await this.indexAll([...new Set(entries.map((entry) => entry.urn))]);
  }

  override async consumeUrns(urns: readonly string[]): Promise<void> {
    await this.indexAll(urns);
  }

  /**
   * Writes the documents of these entities as the store has them now, into the index or what is built beside it.
   * Searches find them when the promise resolves.
   */
  async indexAll(urns: readonly string[], target: Target = this.index): Promise<void> {
    let writing = Promise.resolve();
    let batch = emptyBatch();
    // The next ones are read while these are written.
    const writeBatch = async (): Promise<void> => {
      await Promise.all([writing, this.past.takeUp()]);
      writing = write(batch, target);
      // Its caller awaits it later; until then a failure must not count as unhandled.
      writing.catch(() => undefined);
      batch = emptyBatch();
    };
    const parts = Math.max(1, Math.floor(urns.length / LEAST_WRITTEN));
    const size = Math.min(Math.ceil(urns.length / parts), this.index.batch);
    for (let from = 0; from < urns.length; from += size) {
      await this.batches.each(urns.slice(from, from + size), async (some) => {
        for (let next = 0; next < some.length;) {
          const portion = some.slice(next, next + this.portions.next);
          const { documents, removals, characters } = await this.read(portion);
          batch.documents.push(...documents);
          batch.removals.push(...removals);
          batch.characters += characters;
          if (batch.characters >= WRITTEN_TOGETHER) await writeBatch();
          next += portion.length;
          if (next < some.length) await this.throttle.yieldToRequests();
        }
      });
      await writeBatch();
    }
    await writing;
    await target.settle();
  }

  private async read(urns: readonly string[]): Promise<Batch> {
    const entities: FieldsOfEntity[] = [];
    const removals: IndexedVersion[] = [];
    const slices = new TimeSlices();
    for (const state of (await this.states.states(urns)).values()) {
      // An entity type that the model no longer has cannot be searched for.
      const entity = state.exists ? this.model.findEntity(state.entityType) : undefined;
      if (entity) entities.push({ entity, state, fields: await fieldsOf(entity, state, slices) });
      else removals.push({ urn: state.urn, sequence: state.sequence });
    }
    for (const provider of this.providers) await provider.addFields(entities);
    const documents = await mapInSlices(entities, ({ entity, state, fields }) =>
      hasMany(fields)
        ? inTurns(searchDocumentInSteps(entity, state, fields))
        : searchDocument(entity, state, fields),
    );
    const characters = documents.reduce((sum, document) => sum + charactersOf(document), 0);
    this.portions.learn(documents.length, characters);
    return { documents, removals, characters };
  }
}

/** Whether a field has so many values that to look at each of them takes long. */
function hasMany(fields: ReadonlyMap<string, readonly unknown[]>): boolean {
  for (const values of fields.values()) if (values.length > MANY_VALUES) return true;
  return false;
}

/** {@link searchFields}, aspect by aspect: a single one may be as large as a request. */
async function fieldsOf(
  entity: EntitySpec,
  state: EntityState,
  slices: TimeSlices,
): Promise<Map<string, unknown[]>> {
  const fields = new Map<string, unknown[]>();
  for (const aspect of entity.aspects.values()) {
    const stored = aspect.search.length > 0 ? state.aspects.get(aspect.name) : undefined;
    const parsing = stored?.parseAhead?.();
    if (stored && parsing) {
      await slices.run(parsing);
      await slices.run(addFieldsInSteps(fields, aspect, stored));
    } else addFieldsOf(fields, entity, aspect, state);
    const over = slices.over();
    if (over) await over;
  }
  return fields;
}

function charactersOf({ fields }: SearchDocument): number {
  let characters = 0;
  for (const values of Object.values(fields))
    for (const value of values) characters += typeof value === 'string' ? value.length : 0;
  return characters;
}

async function write({ documents, removals }: Batch, target: Target): Promise<void> {
  if (documents.length > 0) await target.upsert(documents, 'later');
  if (removals.length > 0) await target.remove(removals, 'later');
}
