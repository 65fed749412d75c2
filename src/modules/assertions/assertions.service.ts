import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import type { AssertionInfo } from '../../catalog/model/generated/aspects.js';
import { EntityReader } from '../entities/index.js';
import { columnUrn } from '../../catalog/urn/index.js';
import { EditService } from '../ingest/index.js';
import { EventReports } from '../timeseries/index.js';

/** A check that another tool makes. */
export interface CustomAssertion {
  readonly entityUrn: string;
  readonly description: string;
  /** URN of the platform that makes it. */
  readonly platform: string;
  readonly externalUrl?: string;
  /** Paths of the columns that are checked. */
  readonly columns: readonly string[];
  /** What the model keeps of it besides. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** How a check ended. */
export interface Result {
  readonly time: number;
  readonly result: Readonly<Record<string, unknown>>;
}

/** Checks that other tools make, and what came of them. */
@Injectable()
export class AssertionsService {
  constructor(
    private readonly edits: EditService,
    private readonly reader: EntityReader,
    private readonly reports: EventReports,
  ) {}

  /**
   * Makes a check, or writes it anew.
   * @param urn a new one when absent
   * @returns the URN
   * @throws CatalogError ENTITY_NOT_FOUND for the dataset, URN_MALFORMED, PARAMETER_INVALID
   */
  async upsert(principal: Principal, urn: string | undefined, asked: CustomAssertion): Promise<string> {
    const assertion = urn ?? `urn:li:assertion:${randomUUID()}`;
    const { entityUrn, description, platform, externalUrl, columns, details } = asked;
    const [column, ...others] = columns.map((path) => columnUrn(entityUrn, path));
    const made = { urn: assertion, at: '/urn', entity: 'any' } as const;
    await this.edits.submit(principal, [
      {
        ...made,
        aspect: 'assertionInfo',
        what: 'assertion',
        mentions: [{ urn: entityUrn, at: '/entityUrn', types: ['dataset'] }],
        apply: (current, { stamp }) => ({
          type: 'CUSTOM',
          description,
          ...(externalUrl !== undefined && { externalUrl }),
          customAssertion: {
            ...details,
            entity: entityUrn,
            ...(column !== undefined && { field: column }),
            ...(others.length > 0 && { fields: [column, ...others] }),
          },
          source: current?.['source'] ?? { type: 'EXTERNAL', created: stamp },
          lastUpdated: stamp,
        }),
      },
      {
        ...made,
        aspect: 'dataPlatformInstance',
        what: 'platform',
        apply: (current) => ({ ...current, platform }),
      },
    ]);
    return assertion;
  }

  /**
   * Notes how a check ended.
   * @throws CatalogError ENTITY_NOT_FOUND, and PARAMETER_INVALID for an assertion that checks no dataset
   */
  async report(principal: Principal, urn: string, { time, result }: Result): Promise<void> {
    const found = await this.reader.read(principal, [urn], ['assertionInfo']);
    const info = found.get(urn)?.aspects.get('assertionInfo')?.value as AssertionInfo | undefined;
    if (!info) throw refuse('ENTITY_NOT_FOUND', `there is no assertion ${urn}`, '/urn');
    const asserteeUrn = assertee(info);
    if (asserteeUrn === undefined)
      throw refuse('PARAMETER_INVALID', `${urn} does not say which dataset it checks`, '/urn');
    await this.reports.report(principal, { urn, at: '/urn' }, 'assertionRunEvent', {
      timestampMillis: time,
      runId: randomUUID(),
      assertionUrn: urn,
      asserteeUrn,
      status: 'COMPLETE',
      result,
    });
  }
}

/** What an assertion is about. */
function assertee(info: AssertionInfo): string | undefined {
  return (
    info.customAssertion?.entity ??
    info.datasetAssertion?.dataset ??
    info.freshnessAssertion?.entity ??
    info.volumeAssertion?.entity ??
    info.sqlAssertion?.entity ??
    info.fieldAssertion?.entity ??
    info.schemaAssertion?.entity ??
    info.entityUrn
  );
}
