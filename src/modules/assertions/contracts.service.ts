import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { EditService, refuseBlank, type Mention } from '../ingest/index.js';
import { RelationshipsService } from '../relationships/index.js';

const TYPE = 'dataContract';
const PROMISES = ['freshness', 'schema', 'dataQuality'] as const;

/** What a contract says: URNs of assertions. */
export interface Contract {
  readonly dataset: string;
  readonly promises: Readonly<Record<(typeof PROMISES)[number], readonly string[] | undefined>>;
  readonly state: string;
}

/** Contracts about datasets, each made of assertions. */
@Injectable()
export class ContractsService {
  constructor(
    private readonly edits: EditService,
    private readonly relationships: RelationshipsService,
  ) {}

  /** The contract of each dataset that has one. */
  async of(principal: Principal, datasets: readonly string[]): Promise<Map<string, string>> {
    const pages = await this.relationships.pages(principal, {
      ...{ urns: datasets, direction: 'INCOMING', types: ['ContractFor'], entityTypes: [TYPE] },
      ...{ includeSoftDeleted: false, start: 0, count: 1 },
    });
    const found = new Map<string, string>();
    for (const [dataset, { relationships }] of pages)
      if (relationships[0]) found.set(dataset, relationships[0].entity);
    return found;
  }

  /**
   * Makes the contract of a dataset, or writes it anew.
   * @param named `urn` of a contract, else the one of the dataset; `id` of a new one
   * @returns the URN
   * @throws CatalogError ENTITY_NOT_FOUND for the dataset or an assertion, PARAMETER_INVALID, URN_MALFORMED
   */
  async upsert(
    principal: Principal,
    named: { readonly urn: string | undefined; readonly id: string | undefined },
    { dataset, promises, state }: Contract,
  ): Promise<string> {
    if (named.urn !== undefined) this.edits.checkMentions([{ urn: named.urn, at: '/urn', types: [TYPE] }]);
    if (named.id !== undefined) refuseBlank(named.id, 'an id', '/id');
    const mentions: Mention[] = [{ urn: dataset, at: '/entityUrn', types: ['dataset'] }];
    for (const part of PROMISES)
      promises[part]?.forEach((urn, i) =>
        mentions.push({ urn, at: `/${part}/${i}/assertionUrn`, types: ['assertion'] }),
      );
    this.edits.checkMentions(mentions);
    const known = named.urn ?? (await this.of(principal, [dataset])).get(dataset);
    const contract = known ?? `urn:li:${TYPE}:${named.id ?? randomUUID()}`;
    const made = { urn: contract, at: named.urn === undefined ? '/id' : '/urn', entity: 'any' } as const;
    const value = Object.fromEntries(
      PROMISES.flatMap((part) => {
        const said = promises[part];
        return said ? [[part, said.map((assertion) => ({ assertion }))]] : [];
      }),
    );
    await this.edits.submit(principal, [
      {
        ...{ ...made, mentions, aspect: 'dataContractProperties', what: 'contract' },
        apply: () => ({ entity: dataset, ...value }),
      },
      {
        ...{ ...made, aspect: 'dataContractStatus', what: 'state' },
        apply: (current) => ({ ...current, state }),
      },
    ]);
    return contract;
  }
}
