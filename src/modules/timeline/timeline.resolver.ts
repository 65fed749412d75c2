import { Args, Query, Resolver } from '@nestjs/graphql';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { mapInSlices } from '../../catalog/schedule/index.js';
import { tryParseUrn } from '../../catalog/urn/index.js';
import { auditStamp, CurrentPrincipal } from '../graphql/index.js';
import { CATEGORIES, type Category, type ChangeEvent as Change } from './change-event.js';
import { TimelineService, type ChangeTransaction as Transaction } from './timeline.service.js';
import {
  GetSchemaBlameInput,
  GetSchemaBlameResult,
  GetSchemaVersionListInput,
  GetSchemaVersionListResult,
  GetTimelineInput,
  GetTimelineResult,
  type ChangeEvent,
  type ChangeTransaction,
  type ChangeOperationType,
  type SchemaFieldBlame,
  type SemanticVersionStruct,
} from './timeline.types.js';

/** The history of entities, and of the columns of datasets. */
@Resolver()
export class TimelineResolver {
  constructor(private readonly service: TimelineService) {}

  @Query(() => GetTimelineResult, { nullable: true, description: 'What happened to an entity.' })
  async getTimeline(
    @CurrentPrincipal() principal: Principal,
    @Args('input', { type: () => GetTimelineInput }) { urn, changeCategories }: GetTimelineInput,
  ): Promise<GetTimelineResult> {
    const wanted = CATEGORIES.filter((category) => changeCategories?.includes(category) ?? true);
    const transactions = await this.read(principal, urn, wanted);
    const changeTransactions: ChangeTransaction[] = [];
    for (const transaction of transactions)
      changeTransactions.push({
        timestampMillis: transaction.timestamp,
        lastSemanticVersion: transaction.semVer,
        versionStamp: stampOf(transaction),
        changeType: operationOf(transaction.changeEvents),
        actor: transaction.actor,
        changes: await mapInSlices(transaction.changeEvents, shown),
      });
    return { changeTransactions };
  }

  @Query(() => GetSchemaVersionListResult, {
    nullable: true,
    description: 'The versions of the schema of a dataset, counted from its changes.',
  })
  async getSchemaVersionList(
    @CurrentPrincipal() principal: Principal,
    @Args('input', { type: () => GetSchemaVersionListInput }) { datasetUrn }: GetSchemaVersionListInput,
  ): Promise<GetSchemaVersionListResult> {
    const transactions = await this.schemaOf(principal, datasetUrn);
    const versions = transactions.map(versionOf).toReversed();
    return { latestVersion: versions[0] ?? null, semanticVersionList: versions };
  }

  @Query(() => GetSchemaBlameResult, {
    nullable: true,
    description: 'The columns of a version of the schema of a dataset, each with its last change.',
  })
  async getSchemaBlame(
    @CurrentPrincipal() principal: Principal,
    @Args('input', { type: () => GetSchemaBlameInput }) { datasetUrn, version }: GetSchemaBlameInput,
  ): Promise<GetSchemaBlameResult> {
    const transactions = await this.schemaOf(principal, datasetUrn);
    const last = version
      ? transactions.findLastIndex(({ semVer }) => semVer === version)
      : transactions.length - 1;
    if (version && last < 0)
      throw refuse('PARAMETER_INVALID', `the schema has no version "${version}"`, '/version');
    const until = transactions.slice(0, last + 1);
    const newest = until.at(-1);
    return { version: newest ? versionOf(newest) : null, schemaFieldBlameList: blame(until) };
  }

  private schemaOf(principal: Principal, datasetUrn: string): Promise<Transaction[]> {
    if (tryParseUrn(datasetUrn)?.type !== 'dataset')
      throw refuse('PARAMETER_INVALID', 'this is not the URN of a dataset', '/datasetUrn');
    return this.read(principal, datasetUrn, ['TECHNICAL_SCHEMA']);
  }

  private read(principal: Principal, urn: string, categories: readonly Category[]): Promise<Transaction[]> {
    return this.service.timeline(principal, {
      urn,
      categories: new Set(categories),
      from: undefined,
      to: undefined,
      raw: false,
    });
  }
}

const stampOf = ({ timestamp }: Transaction): string => `time:${timestamp}`;

const versionOf = (transaction: Transaction): SemanticVersionStruct => ({
  semanticVersion: transaction.semVer,
  semanticVersionTimestamp: transaction.timestamp,
  versionStamp: stampOf(transaction),
});

function operationOf(events: readonly Change[]): ChangeOperationType {
  const kinds = new Set(events.map(({ operation }) => operation));
  const [only] = kinds;
  return kinds.size === 1 && (only === 'ADD' || only === 'REMOVE') ? only : 'MODIFY';
}

function shown(event: Change): ChangeEvent {
  const { entityUrn, category, modifier, parameters, description, auditStamp: stamp } = event;
  return {
    urn: entityUrn,
    category: CATEGORIES.find((known) => known === category) ?? null,
    operation: operationOf([event]),
    modifier: modifier ?? null,
    parameters: Object.entries(parameters ?? {}).map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
    auditStamp: auditStamp(stamp),
    description,
  };
}

/** The last change of each column that is still there. */
function blame(transactions: readonly Transaction[]): SchemaFieldBlame[] {
  const columns = new Map<string, SchemaFieldBlame>();
  for (const transaction of transactions) {
    for (const event of transaction.changeEvents) {
      const { fieldPath, newFieldPath = fieldPath } = event.parameters ?? {};
      if (typeof fieldPath !== 'string' || typeof newFieldPath !== 'string') continue;
      columns.delete(fieldPath);
      if (event.operation === 'REMOVE') continue;
      columns.set(newFieldPath, {
        fieldPath: newFieldPath,
        schemaFieldChange: {
          timestampMillis: transaction.timestamp,
          lastSemanticVersion: transaction.semVer,
          versionStamp: stampOf(transaction),
          changeType: operationOf([event]),
          lastSchemaFieldChange: event.description,
        },
      });
    }
  }
  return [...columns.values()];
}
