import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import type { EditContext } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { Model } from '../../../catalog/model/index.js';
import { columnIn, columnUrn } from '../../../catalog/urn/index.js';
import { EditService, refuseEmpty, type AspectEdit, type Resource } from '../../ingest/index.js';
import { deprecationOf, type DeprecationRequest } from './deprecation.js';

/** The marks that take things out of use while they stay where they are: soft deletion and deprecation. */
@Injectable()
export class MarksService {
  constructor(
    private readonly edits: EditService,
    private readonly model: Model,
  ) {}

  /**
   * Hides entities from search, or brings them back; all of them in one transaction, or none.
   * @param at JSON pointer of the list in the request.
   */
  async setSoftDeleted(
    principal: Principal,
    urns: readonly string[],
    deleted: boolean,
    at: string,
  ): Promise<void> {
    refuseEmpty(urns, at);
    const first = new Map(urns.map((urn, i) => [urn, i] as const).toReversed());
    const edits = [...first].map(([urn, i]): AspectEdit => {
      const apply: AspectEdit['apply'] = (current) =>
        (current?.['removed'] ?? false) === deleted ? undefined : { ...current, removed: deleted };
      return { urn, at: `${at}/${i}`, aspect: 'status', what: 'status: it cannot be soft-deleted', apply };
    });
    await this.edits.submit(principal, edits);
  }

  /**
   * Says of entities and columns that they should not be used any more, or may be again.
   * @param replacementAt JSON pointer of the replacement in the request; it must exist.
   */
  async setDeprecation(
    principal: Principal,
    resources: readonly Resource[],
    request: DeprecationRequest,
    replacementAt: string,
  ): Promise<void> {
    const { replacement } = request;
    const types = [...this.model.entities.keys()];
    const mentions = replacement === undefined ? [] : [{ urn: replacement, at: replacementAt, types }];
    const edits = resources.map((given): AspectEdit => {
      const column = columnOf(given);
      if (column === undefined) {
        const apply: AspectEdit['apply'] = (current, { stamp }) => deprecationOf(current, request, stamp);
        return { urn: given.urn, at: given.at, aspect: 'deprecation', what: 'deprecation', mentions, apply };
      }
      return {
        urn: column.urn,
        at: column.at,
        aspect: 'deprecation',
        what: 'deprecation',
        mentions,
        entity: 'any',
        looksAtEntities: [column.resource.urn],
        apply: async (current, context) => {
          if (!(context.exists && column.mayBeFormer)) await this.judgeColumn(column.resource, context);
          return deprecationOf(current, request, context.stamp);
        },
      };
    });
    await this.edits.submit(principal, edits);
  }

  /** @throws CatalogError ENTITY_NOT_FOUND, COLUMN_UNKNOWN */
  private async judgeColumn(
    { urn, column, at, columnAt }: ColumnResource,
    context: EditContext,
  ): Promise<void> {
    const paths = await this.edits.columns.pathsOf(urn, context);
    if (!(await context.entityExists(urn))) throw refuse('ENTITY_NOT_FOUND', `${urn} does not exist`, at);
    if (!paths.has(column)) throw refuse('COLUMN_UNKNOWN', `${urn} has no column "${column}"`, columnAt);
  }
}

type ColumnResource = Resource & { readonly column: string };

/** A column as an entity of its own. */
interface ColumnEntity {
  readonly urn: string;
  readonly at: string;
  readonly resource: ColumnResource;
  /** Whether an entity that exists counts, also where the schema has no such column any more. */
  readonly mayBeFormer: boolean;
}

/** The column that is meant: one of a dataset, or named by its own URN, of which nothing needs to be stored yet. */
function columnOf({ urn, column, at, columnAt }: Resource): ColumnEntity | undefined {
  if (column !== undefined) {
    const resource = { urn, column, at, columnAt };
    return { urn: columnUrn(urn, column), at: columnAt, resource, mayBeFormer: false };
  }
  const named = columnIn(urn);
  if (!named) return undefined;
  const resource = { urn: named.parent, column: named.path, at, columnAt: at };
  return { urn, at, resource, mayBeFormer: true };
}
