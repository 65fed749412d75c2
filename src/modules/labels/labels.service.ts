import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { EditContext } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import {
  refuseEmpty,
  columnsEdit,
  EditService,
  refuseMissing,
  type AspectEdit,
  type Mention,
  type Resource,
} from '../ingest/index.js';
import { labelsOf, withLabels, withoutLabels, type LabelKind, type Labels } from './label-kind.js';

/** Labels times resources of one request. */
const MAX_ASSIGNMENTS = 50_000;

/** Which labels go where. */
export interface LabelRequest {
  readonly labels: readonly string[];
  /** JSON pointers of the list, and of each label in it; the same for a single label. */
  readonly labelsAt: string;
  labelAt(index: number): string;
  readonly resources: readonly Resource[];
  /** JSON pointer of the list of resources; absent when the request is about one. */
  readonly resourcesAt?: string;
}

/** What is done to one list of labels: the list as it shall be, undefined to leave it. */
type Change = (labels: Labels | undefined, context: EditContext) => Labels | undefined;

interface Place {
  resource: Resource;
  /** The entity itself is meant, not only columns of it. */
  entity: boolean;
  columns: Array<{ path: string; at: string }>;
}

/** Puts tags and glossary terms on entities and columns, and takes them away. Doing either twice changes nothing. */
@Injectable()
export class LabelsService {
  constructor(private readonly edits: EditService) {}

  /**
   * All in one transaction, or none.
   * @throws CatalogError ENTITY_NOT_FOUND for a label or resource, COLUMN_UNKNOWN, PARAMETER_INVALID for a URN that
   *   is no label of this kind or for an empty list, BATCH_TOO_LARGE.
   */
  async add(principal: Principal, kind: LabelKind, request: LabelRequest): Promise<void> {
    const mentions = mentionsOf(kind, request);
    const change: Change = (labels, { stamp }) => withLabels(kind, labels, request.labels, stamp);
    await this.edits.submit(principal, this.editsOf(kind, request, mentions, change, false));
  }

  /**
   * Like {@link add}. A label that does not exist any more can still be taken from where it is, and so can labels
   * of a column that the schema no longer has.
   */
  async remove(principal: Principal, kind: LabelKind, request: LabelRequest): Promise<void> {
    const mentions = mentionsOf(kind, request);
    const urns = new Set(request.labels);
    const seen = new Set<string>();
    const change: Change = (labels, { stamp }) => {
      for (const urn of labelsOf(kind, labels)) seen.add(urn);
      return withoutLabels(kind, labels, urns, stamp);
    };
    const edits = this.editsOf(kind, request, [], change, true);
    const last = edits.at(-1);
    if (last === undefined) return;
    const judged: AspectEdit = {
      ...last,
      looksAtEntities: request.labels,
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
    kind: LabelKind,
    request: LabelRequest,
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
            columnsEdit({
              urn,
              at,
              columns,
              mentions,
              former,
              change: (column, context) => {
                const labels = change(column[kind.aspect] as Labels | undefined, context);
                return labels && { ...column, [kind.aspect]: labels };
              },
            }),
          ]
        : []),
    ]);
  }
}

/** The resources by entity, each entity and column once: an aspect is changed once, however long the list. */
function placesOf({ resources }: LabelRequest): Place[] {
  const places = new Map<string, Place>();
  for (const resource of resources) {
    let place = places.get(resource.urn);
    if (place === undefined) places.set(resource.urn, (place = { resource, entity: false, columns: [] }));
    if (resource.column === undefined) place.entity = true;
    else place.columns.push({ path: resource.column, at: resource.columnAt });
  }
  return [...places.values()];
}

function mentionsOf(kind: LabelKind, request: LabelRequest): Mention[] {
  const { labels, labelsAt, resources, resourcesAt } = request;
  refuseEmpty(labels, labelsAt);
  if (resourcesAt !== undefined) refuseEmpty(resources, resourcesAt);
  if (labels.length * resources.length > MAX_ASSIGNMENTS) {
    throw refuse(
      'BATCH_TOO_LARGE',
      `${labels.length} ${kind.what} on ${resources.length} resources are more than ${MAX_ASSIGNMENTS} at once`,
      resourcesAt,
    );
  }
  return labels.map((urn, i) => ({ urn, at: request.labelAt(i), types: [kind.entity] }));
}
