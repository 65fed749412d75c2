import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { Model } from '../../../catalog/model/index.js';
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
    const edits = resources.map((resource): AspectEdit => {
      const { urn, at } = resource.column === undefined ? resource : columnOf(resource);
      return {
        urn,
        at,
        aspect: 'deprecation',
        what: 'deprecation',
        mentions,
        ...(resource.column !== undefined && { entity: 'any', looksAtEntities: [resource.urn] }),
        apply: async (current, context) => {
          if (resource.column !== undefined) {
            const paths = await this.edits.columns.pathsOf(resource.urn, context);
            judgeColumn(resource, await context.entityExists(resource.urn), paths);
          }
          return deprecationOf(current, request, context.stamp);
        },
      };
    });
    await this.edits.submit(principal, edits);
  }
}

/** A column as an entity of its own. */
function columnOf({ urn, column, columnAt }: Resource): { urn: string; at: string } {
  return { urn: `urn:li:schemaField:(${urn},${column})`, at: columnAt };
}

function judgeColumn(
  { urn, column, at, columnAt }: Resource,
  exists: boolean,
  paths: ReadonlySet<string>,
): void {
  if (!exists) throw refuse('ENTITY_NOT_FOUND', `${urn} does not exist`, at);
  if (column !== undefined && paths.has(column)) return;
  throw refuse('COLUMN_UNKNOWN', `${urn} has no column "${column}"`, columnAt);
}
