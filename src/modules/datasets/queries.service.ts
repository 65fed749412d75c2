import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { EditService, refuseBlank, type AspectEdit, type Mention } from '../ingest/index.js';

const TYPE = 'query';

/** What people write down of a query; what is left out stays as it is. */
interface QueryTexts {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly statement?: { readonly value: string; readonly language: string } | undefined;
}

/** Keeps queries that people write down for datasets. */
@Injectable()
export class QueriesService {
  constructor(private readonly edits: EditService) {}

  /**
   * @param datasets URNs of what it reads
   * @returns the URN
   * @throws CatalogError ENTITY_NOT_FOUND for a dataset, PARAMETER_INVALID
   */
  async create(
    principal: Principal,
    said: QueryTexts & Required<Pick<QueryTexts, 'statement'>>,
    datasets: readonly string[],
  ): Promise<string> {
    checkStatement(said);
    const made = { urn: `urn:li:${TYPE}:${randomUUID()}`, at: '', entity: 'any' } as const;
    await this.edits.submit(principal, [
      {
        ...made,
        aspect: 'queryProperties',
        what: 'statement',
        apply: (_, { stamp }) => ({ ...said, source: 'MANUAL', created: stamp, lastModified: stamp }),
      },
      { ...made, ...subjects(datasets) },
    ]);
    return made.urn;
  }

  /** @throws CatalogError ENTITY_NOT_FOUND for the query or a dataset, PARAMETER_INVALID */
  async update(
    principal: Principal,
    urn: string,
    said: QueryTexts | undefined,
    datasets: readonly string[] | undefined,
  ): Promise<void> {
    if (said !== undefined) checkStatement(said);
    const query = this.query(urn);
    const edits: AspectEdit[] = [];
    if (said !== undefined)
      edits.push({
        ...query,
        aspect: 'queryProperties',
        what: 'statement',
        apply: (current, { stamp }) => {
          if (current === undefined && said.statement === undefined)
            throw refuse(
              'PARAMETER_MISSING',
              `${urn} has no statement yet: send one`,
              '/properties/statement',
            );
          return { ...(current ?? { source: 'MANUAL', created: stamp }), ...said, lastModified: stamp };
        },
      });
    if (datasets !== undefined) edits.push({ ...query, ...subjects(datasets) });
    // The query must exist even when nothing is to be changed.
    if (edits.length === 0) edits.push({ ...query, aspect: 'queryKey', what: 'key', apply: () => undefined });
    await this.edits.submit(principal, edits);
  }

  /** Permanently deletes a query. @throws CatalogError ENTITY_NOT_FOUND, PARAMETER_INVALID */
  async delete(principal: Principal, urn: string): Promise<void> {
    await this.edits.delete(principal, this.query(urn), []);
  }

  private query(urn: string): { urn: string; at: string } {
    const target = { urn, at: '/urn' };
    this.edits.checkMentions([{ ...target, types: [TYPE] }]);
    return target;
  }
}

function subjects(datasets: readonly string[]): Pick<AspectEdit, 'aspect' | 'what' | 'mentions' | 'apply'> {
  const mentions = datasets.map((urn, i): Mention => ({
    urn,
    at: `/subjects/${i}/datasetUrn`,
    types: ['dataset'],
  }));
  const value = { subjects: [...new Set(datasets)].map((entity) => ({ entity })) };
  return { aspect: 'querySubjects', what: 'subjects', mentions, apply: () => value };
}

function checkStatement({ statement }: QueryTexts): void {
  if (statement) refuseBlank(statement.value, 'a statement', '/properties/statement/value');
}
