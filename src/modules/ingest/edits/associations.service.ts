import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import type { EditContext } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import type { AspectEdit, Mention } from './aspect-edit.js';
import { EditService, refuseMissing } from './edit.service.js';
import { refuseEmpty, type Resource } from './resource.js';
import {
  associatedUrns,
  associated,
  dissociated,
  type AssociationKind,
  type Associations,
} from './association.js';

/** Associations times resources of one request. */
const MAX_ASSIGNMENTS = 50_000;

/** Which URNs are associated with which resources. */
export interface AssociationRequest {
  readonly urns: readonly string[];
  /** JSON pointers of the list, and of each URN in it; the same for a single URN. */
  readonly urnsAt: string;
  urnAt(index: number): string;
  readonly resources: readonly Resource[];
  /** JSON pointer of the list of resources; absent when the request is about one. */
  readonly resourcesAt?: string;
}

/** A change of one value: returns the new value, or undefined to leave it. */
type Change = (value: Associations | undefined, context: EditContext) => Associations | undefined;

interface Place {
  resource: Resource;
  /** The entity itself is meant, not only columns of it. */
  entity: boolean;
  columns: Array<{ path: string; at: string }>;
}

/** Puts tags and glossary terms on entities and columns, and takes them away. Doing either twice changes nothing. */
@Injectable()
export class AssociationsService {
  constructor(private readonly edits: EditService) {}

  /**
   * All in one transaction, or none.
   * @throws CatalogError ENTITY_NOT_FOUND for a URN or resource, COLUMN_UNKNOWN, PARAMETER_INVALID for a URN of
   *   another entity type or for an empty list, BATCH_TOO_LARGE.
   */
  async add(principal: Principal, kind: AssociationKind, request: AssociationRequest): Promise<void> {
    const mentions = mentionsOf(kind, request);
    const change: Change = (value, { stamp }) => associated(kind, value, request.urns, stamp);
    await this.edits.submit(principal, this.editsOf(kind, request, mentions, change, false));
  }

  /**
   * Like {@link add}, but what no longer exists can still be removed, also from a column that the schema no longer has.
   */
  async remove(principal: Principal, kind: AssociationKind, request: AssociationRequest): Promise<void> {
    const mentions = mentionsOf(kind, request);
    const urns = new Set(request.urns);
    const seen = new Set<string>();
    const change: Change = (value, { stamp }) => {
      for (const urn of associatedUrns(kind, value)) seen.add(urn);
      return dissociated(kind, value, urns, stamp);
    };
    const edits = this.editsOf(kind, request, [], change, true);
    const last = edits.at(-1);
    if (last === undefined) return;
    const judged: AspectEdit = {
      ...last,
      looksAtEntities: request.urns,
      apply: async (current, context) => {
        const next = await last.apply(current, context);
        await refuseMissing(
          mentions.filter(({ urn }) => !seen.has(urn)),
          context,
        );
        return next;
      },
    };
    this.edits.checkMentions(mentions);
    await this.edits.submit(principal, [...edits.slice(0, -1), judged]);
  }

  private editsOf(
    kind: AssociationKind,
    request: AssociationRequest,
    mentions: readonly Mention[],
    change: Change,
    former: boolean,
  ): AspectEdit[] {
    return placesOf(request).flatMap(({ resource: { urn, at }, entity, columns }) => [
      ...(entity
        ? [{ urn, at, aspect: kind.aspect, what: kind.what, mentions, apply: change } satisfies AspectEdit]
        : []),
      ...(columns.length > 0
        ? [
            this.edits.columns.edit({
              urn,
              at,
              columns,
              mentions,
              former,
              change: (column, context) => {
                const value = change(column[kind.aspect] as Associations | undefined, context);
                return value && { ...column, [kind.aspect]: value };
              },
            }),
          ]
        : []),
    ]);
  }
}

/** The resources by entity, each entity and column once: an aspect is changed once, however long the list. */
function placesOf({ resources }: AssociationRequest): Place[] {
  const places = new Map<string, Place>();
  for (const resource of resources) {
    let place = places.get(resource.urn);
    if (place === undefined) places.set(resource.urn, (place = { resource, entity: false, columns: [] }));
    if (resource.column === undefined) place.entity = true;
    else place.columns.push({ path: resource.column, at: resource.columnAt });
  }
  return [...places.values()];
}

function mentionsOf(kind: AssociationKind, request: AssociationRequest): Mention[] {
  const { urns, urnsAt, resources, resourcesAt } = request;
  refuseEmpty(urns, urnsAt);
  if (resourcesAt !== undefined) refuseEmpty(resources, resourcesAt);
  if (urns.length * resources.length > MAX_ASSIGNMENTS) {
    throw refuse(
      'BATCH_TOO_LARGE',
      `${urns.length} ${kind.what} on ${resources.length} resources are more than ${MAX_ASSIGNMENTS} at once`,
      resourcesAt,
    );
  }
  return urns.map((urn, i) => ({ urn, at: request.urnAt(i), types: [kind.entity] }));
}
