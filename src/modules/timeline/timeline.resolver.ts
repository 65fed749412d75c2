import { Args, Query, Resolver } from '@nestjs/graphql';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { mapInSlices } from '../../catalog/schedule/index.js';
import { tryParseUrn } from '../../catalog/urn/index.js';
import { auditStamp, CurrentPrincipal } from '../graphql/index.js';
import { CATEGORIES, type ChangeEvent as Change } from './change-event.js';
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
    const transactions = await this.service.timeline(principal, {
      urn,
      categories: new Set(wanted),
      from: undefined,
      to: undefined,
      raw: false,
      narrowedBy: '/changeCategories',
    });
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
    requireDataset(datasetUrn);
    const versions: SemanticVersionStruct[] = [];
    await this.service.schemaVersions(principal, datasetUrn, (each) => versions.push(versionOf(each)));
    versions.reverse();
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
    requireDataset(datasetUrn);
    const columns = new Map<string, SchemaFieldBlame>();
    const versions: SemanticVersionStruct[] = [];
    let isPast = false;
    await this.service.schemaVersions(principal, datasetUrn, (each) => {
      // Changes that do not count leave the number as it is.
      if (version && versions.at(-1)?.semanticVersion === version) isPast ||= each.semVer !== version;
      if (isPast) return;
      blame(columns, each);
      versions.push(versionOf(each));
    });
    const newest = versions.at(-1);
    if (version && newest?.semanticVersion !== version)
      throw refuse('PARAMETER_INVALID', `the schema has no version "${version}"`, '/version');
    return { version: newest ?? null, schemaFieldBlameList: [...columns.values()] };
  }
}

function requireDataset(urn: string): void {
  if (tryParseUrn(urn)?.type !== 'dataset')
    throw refuse('PARAMETER_INVALID', 'this is not the URN of a dataset', '/datasetUrn');
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

/** Notes the last change of each column that is still there. */
function blame(columns: Map<string, SchemaFieldBlame>, transaction: Transaction): void {
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
