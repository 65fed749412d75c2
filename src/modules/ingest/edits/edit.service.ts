import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import type { ChangeProposal, EditContext, ProposalOutcome } from '../../../catalog/change/index.js';
import { CatalogError, refuse } from '../../../catalog/errors/index.js';
import { Model, refuseBadKey, type EntitySpec } from '../../../catalog/model/index.js';
import { toUrn } from '../../../catalog/restli/index.js';
import type { Urn } from '../../../catalog/urn/index.js';
import { withArticle } from '../../../catalog/with-article.js';
import { IngestService } from '../ingest.service.js';
import type { AspectEdit, Mention } from './aspect-edit.js';
import type { ColumnEditor } from './columns.js';

const MAX_NAMED = 20;

/** An entity that a request names, with the JSON pointer of its URN. */
interface EntityTarget {
  readonly urn: string;
  readonly at: string;
}

interface AspectTarget extends EntityTarget {
  /** One that entities of the type can have. */
  readonly aspect: string;
}

/**
 * Carries out edits, which are read-modify-writes of aspects: "put this tag there". Whether the entity and everything
 * that the request names exist is checked inside the transaction that writes.
 */
@Injectable()
export class EditService {
  private readonly checked = new WeakSet<readonly Mention[]>();
  private columnsOfDatasets: ColumnEditor | undefined;

  constructor(
    private readonly model: Model,
    private readonly ingest: IngestService,
  ) {}

  /** The editor of columns; set once, when the modules are initialised. */
  set columns(columns: ColumnEditor) {
    this.columnsOfDatasets = columns;
  }

  get columns(): ColumnEditor {
    if (this.columnsOfDatasets === undefined) throw new Error('no module keeps columns');
    return this.columnsOfDatasets;
  }

  /**
   * Carries out all edits in order and in one transaction, or none of them.
   * @param deletions aspects that are deleted after the edits
   * @throws CatalogError URN_MALFORMED, ENTITY_UNKNOWN, ASPECT_UNKNOWN (the entity cannot have it), PARAMETER_INVALID
   *   (a mention of the wrong type), ENTITY_NOT_FOUND, ENTITY_EXISTS, and what the edits refuse.
   */
  submit(
    principal: Principal,
    edits: readonly AspectEdit[],
    deletions: readonly AspectTarget[] = [],
  ): Promise<ProposalOutcome[]> {
    return this.ingest.submit(principal, [
      ...edits.map((edit) => this.proposal(edit)),
      ...deletions.map((target) => this.deletion(target)),
    ]);
  }

  /**
   * Permanently deletes an entity, after the edits, in the same transaction.
   * @param also aspects of other entities that are deleted before it
   * @param keepReferences leaves what refers to it as it is, also where the model says otherwise
   */
  async delete(
    principal: Principal,
    target: EntityTarget,
    edits: readonly AspectEdit[],
    { also = [], keepReferences = false }: { also?: readonly AspectTarget[]; keepReferences?: boolean } = {},
  ): Promise<void> {
    const proposals = [
      ...edits.map((edit) => this.proposal(edit)),
      ...also.map((one) => this.deletion(one)),
      { ...this.deletion(target), keepReferences },
    ];
    const outcomes = await this.ingest.submit(principal, proposals);
    if (outcomes.at(-1)?.changed !== true) throw missing([target]);
  }

  private deletion({ urn: text, at, aspect }: EntityTarget & Partial<AspectTarget>): ChangeProposal {
    const { entity, urn } = this.entity(text, at);
    return {
      entity,
      urn,
      aspect: aspect === undefined ? entity.key : entity.aspects.get(aspect)!,
      changeType: 'DELETE',
      systemMetadata: {},
      pointer: at,
      valuePointer: '',
    };
  }

  /** The entity type and URN that a text names. @throws CatalogError URN_MALFORMED, ENTITY_UNKNOWN */
  entity(text: string, at: string): { entity: EntitySpec; urn: Urn } {
    const urn = toUrn(text, at);
    const entity = this.model.entities.get(urn.type);
    if (entity === undefined)
      throw refuse('ENTITY_UNKNOWN', `unknown entity type "${urn.type}" in ${text}`, at);
    refuseBadKey(at, () => this.model.keyFromUrn(urn));
    return { entity, urn };
  }

  /** Whether the mentions are URNs of what they may be; not whether that exists. Done by {@link submit} too. */
  checkMentions(mentions: readonly Mention[]): void {
    // Edits of one request share their mentions.
    if (this.checked.has(mentions)) return;
    for (const { urn, at, types } of mentions) {
      const { entity } = this.entity(urn, at);
      if (!types.includes(entity.name))
        throw refuse(
          'PARAMETER_INVALID',
          `${urn} is ${withArticle(entity.name)}, not ${withArticle(types.join(' or '))}`,
          at,
        );
    }
    this.checked.add(mentions);
  }

  private proposal(edit: AspectEdit): ChangeProposal {
    const { entity, urn } = this.entity(edit.urn, edit.at);
    const aspect = entity.aspects.get(edit.aspect);
    if (aspect === undefined)
      throw refuse('ASPECT_UNKNOWN', `${urn.text}: ${withArticle(entity.name)} has no ${edit.what}`, edit.at);
    const mentions = edit.mentions ?? [];
    this.checkMentions(mentions);
    return {
      entity,
      urn,
      aspect,
      changeType: 'PATCH',
      ...(edit.ofCaller === true && { ofCaller: true }),
      systemMetadata: {},
      pointer: edit.at,
      valuePointer: '',
      edit: {
        looksAt: {
          entities: [...mentions.map((mention) => mention.urn), ...(edit.looksAtEntities ?? [])],
          ...(edit.looksAt && { aspects: edit.looksAt }),
        },
        apply: async (current, context) => {
          if ((edit.entity ?? 'existing') === 'existing' && !context.exists) throw missing([edit]);
          if (edit.entity === 'new' && context.exists)
            throw refuse('ENTITY_EXISTS', `${urn.text} exists already`, edit.at);
          await refuseMissing(mentions, context);
          return edit.apply(current, context);
        },
      },
    };
  }
}

/** @throws CatalogError ENTITY_NOT_FOUND, pointing to each mention of what does not exist. */
export async function refuseMissing(mentions: readonly Mention[], context: EditContext): Promise<void> {
  const exists = await Promise.all(mentions.map(({ urn }) => context.entityExists(urn)));
  const absent = mentions.filter((_, i) => !exists[i]);
  if (absent.length > 0) throw missing(absent);
}

function missing(mentions: ReadonlyArray<{ urn: string; at: string }>): CatalogError {
  const details = mentions
    .slice(0, MAX_NAMED)
    .map(({ urn, at }) => ({ pointer: at, message: `${urn} does not exist` }));
  const names = details.slice(0, 3).map((detail) => detail.message);
  return new CatalogError('ENTITY_NOT_FOUND', names.join(', '), details);
}
