import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { EditContext } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { readJson } from '../../catalog/json/index.js';
import { withArticle } from '../../catalog/with-article.js';
import { ChildRepository, EntityReader } from '../entities/index.js';
import { EditService, refuseBlank, type AspectEdit } from '../ingest/index.js';
import { madeBy, OwnerRules, type OwnerRequest } from '../ownership/index.js';
import { LevelLocks } from './level-locks.js';
import { TREE_KINDS, type TreeKind } from './tree-kinds.js';

/** Something new in a tree. */
interface NewEntry {
  /** A UUID when absent. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly description?: string | undefined;
  readonly parent?: string | undefined;
  /** Who makes it when absent. */
  readonly owners?: readonly OwnerRequest[] | undefined;
}

/** Where an entry is, and where the request says so. */
export interface EntryRef {
  readonly urn: string;
  readonly at: string;
}

/** An entry that a request may name or leave out. */
export const refTo = (urn: string | null | undefined, at: string): EntryRef | undefined =>
  urn === null || urn === undefined ? undefined : { urn, at };

/** A tree deeper than this is a circle that was ingested. */
const MAX_DEPTH = 1_000;

/**
 * Creates, renames, moves and deletes terms, glossary folders and domains. On one level of a tree no two of a kind
 * have the same name. Therefore a change locks its level: in this process by a {@link LevelLocks}, between processes
 * by the head of the parent. It reads the names inside the transaction.
 */
@Injectable()
export class TreeService {
  private readonly locks = new LevelLocks();

  constructor(
    private readonly edits: EditService,
    private readonly repository: ChildRepository,
    private readonly reader: EntityReader,
    private readonly ownerRules: OwnerRules,
  ) {}

  /**
   * @returns the URN.
   * @throws CatalogError ENTITY_EXISTS, NAME_TAKEN, ENTITY_NOT_FOUND (the parent), PARAMETER_INVALID, URN_MALFORMED.
   */
  async create(principal: Principal, kind: TreeKind, entry: NewEntry): Promise<string> {
    const { name, parent, description } = entry;
    checkName(name, '/name');
    const id = entry.id ?? randomUUID();
    refuseBlank(id, 'an id', '/id');
    const urn = `urn:li:${kind.entity}:${id}`;
    const parentRef = parent === undefined ? undefined : { urn: parent, at: `/${kind.parent}` };
    const read = entry.owners && this.ownerRules.read(entry.owners);
    await this.onLevel(principal, kind, name, parentRef, '/name', [
      {
        urn,
        at: '/id',
        aspect: kind.aspect,
        what: 'name',
        entity: 'any',
        apply: (_, { exists }) => {
          if (exists) throw refuse('ENTITY_EXISTS', `This ${kind.word} already exists!`, '/id');
          return {
            ...kind.start,
            name,
            ...(description !== undefined && { [kind.text]: description }),
            ...(parent !== undefined && { [kind.parent]: parent }),
          };
        },
      },
      {
        urn,
        at: '/id',
        aspect: 'ownership',
        what: 'owners',
        entity: 'any',
        mentions: read?.mentions ?? [],
        apply: (_, { stamp }) => (read ? { owners: read.owners, lastModified: stamp } : madeBy(stamp)),
      },
    ]);
    return urn;
  }

  /** @throws CatalogError ENTITY_NOT_FOUND, NAME_TAKEN, PRECONDITION_FAILED when it was moved at the same moment. */
  async rename(principal: Principal, kind: TreeKind, entry: EntryRef, name: string): Promise<void> {
    checkName(name, '/name');
    const parent = await this.parentOf(principal, kind, entry);
    const parentRef = parent === undefined ? undefined : { urn: parent, at: entry.at };
    await this.onLevel(principal, kind, name, parentRef, '/name', [
      {
        ...entry,
        aspect: kind.aspect,
        what: 'name',
        apply: (current) => {
          if (current?.[kind.parent] !== parent)
            throw refuse(
              'PRECONDITION_FAILED',
              `${entry.urn} is being moved by another request: try again`,
              entry.at,
            );
          return current?.['name'] === name ? undefined : { ...(current ?? kind.start), name };
        },
      },
    ]);
  }

  /**
   * Puts an entry below another, or to the top when there is none.
   * @throws CatalogError ENTITY_NOT_FOUND, NAME_TAKEN, RULE_VIOLATED when it would lie below itself.
   */
  async move(
    principal: Principal,
    kind: TreeKind,
    entry: EntryRef,
    parent: EntryRef | undefined,
  ): Promise<void> {
    const info = await this.info(principal, kind, entry);
    const name = info?.['name'] as string | undefined;
    await this.onLevel(principal, kind, name, parent, entry.at, [
      {
        ...entry,
        aspect: kind.aspect,
        what: kind.parent,
        apply: async (current, context) => {
          if (current?.['name'] !== name)
            throw refuse(
              'PRECONDITION_FAILED',
              `${entry.urn} is being renamed by another request: try again`,
              entry.at,
            );
          if (current?.[kind.parent] === parent?.urn) return undefined;
          if (parent !== undefined) await refuseCircle(kind, entry, parent, context);
          const { [kind.parent]: _, ...rest } = current ?? { ...kind.start, name: idOf(entry.urn) };
          return parent === undefined ? rest : { ...rest, [kind.parent]: parent.urn };
        },
      },
    ]);
  }

  /**
   * Permanently deletes an entry; references to it are removed in the background.
   * @throws CatalogError ENTITY_NOT_FOUND, RULE_VIOLATED when something lies in it.
   */
  async delete(principal: Principal, kind: TreeKind, entry: EntryRef): Promise<void> {
    const empty: AspectEdit = {
      ...entry,
      aspect: kind.aspect,
      what: 'name',
      apply: async () => {
        if (!(await this.repository.hasChildren(entry.urn))) return undefined;
        const message = `${entry.urn} cannot be deleted while something lies in it`;
        throw refuse('RULE_VIOLATED', message, entry.at);
      },
    };
    await this.locks.hold(entry.urn, () => this.edits.delete(principal, entry, [empty]));
  }

  /** The kind of an entry. @throws CatalogError PARAMETER_INVALID when it is none of `kinds` */
  kindOf({ urn, at }: EntryRef, kinds: readonly TreeKind[] = TREE_KINDS): TreeKind {
    const { entity } = this.edits.entity(urn, at);
    const kind = kinds.find((one) => one.entity === entity.name);
    if (kind !== undefined) return kind;
    const names = kinds.map((one) => one.entity).join(' or ');
    throw refuse('PARAMETER_INVALID', `${urn} is ${withArticle(entity.name)}, not ${withArticle(names)}`, at);
  }

  /** Applies edits while no other request changes the names on the level they are about. */
  private onLevel(
    principal: Principal,
    kind: TreeKind,
    name: string | undefined,
    parent: EntryRef | undefined,
    nameAt: string,
    edits: readonly AspectEdit[],
  ): Promise<void> {
    // The head of the top is locked like any other, and never comes to life.
    const level = parent?.urn ?? `urn:li:${kind.parentEntity}:__top__`;
    const parentKind = TREE_KINDS.find((one) => one.entity === kind.parentEntity) ?? kind;
    if (parent !== undefined) this.kindOf(parent, [parentKind]);
    const own = new Set(edits.map((edit) => edit.urn));
    const guard: AspectEdit = {
      urn: level,
      at: parent?.at ?? nameAt,
      aspect: parentKind.aspect,
      what: 'name',
      entity: parent === undefined ? 'any' : 'existing',
      apply: async () => {
        if (name === undefined) return undefined;
        const place = { entityType: kind.entity, aspect: kind.aspect, parent: parent?.urn };
        const taken = (await this.repository.withName(place, name)).find(
          ({ urn, value }) => !own.has(urn) && (readJson(value) as { name?: string }).name === name,
        );
        if (taken === undefined) return undefined;
        const message = `${kind.word} with this name already exists at this level of ${kind.tree}: ${taken.urn}`;
        throw refuse('NAME_TAKEN', message, nameAt);
      },
    };
    return this.locks.hold(level, async () => {
      await this.edits.submit(principal, [guard, ...edits]);
    });
  }

  private async parentOf(principal: Principal, kind: TreeKind, entry: EntryRef): Promise<string | undefined> {
    return (await this.info(principal, kind, entry))?.[kind.parent] as string | undefined;
  }

  private async info(
    principal: Principal,
    kind: TreeKind,
    { urn, at }: EntryRef,
  ): Promise<Record<string, unknown> | undefined> {
    const states = await this.reader.read(principal, [urn], [kind.aspect]);
    if (!states.has(urn)) throw refuse('ENTITY_NOT_FOUND', `${urn} does not exist`, at);
    return states.get(urn)?.aspects.get(kind.aspect)?.value;
  }
}

function checkName(name: string, at: string): void {
  refuseBlank(name, 'a name', at);
}

/** Each step up depends on the one before it. */
async function refuseCircle(
  kind: TreeKind,
  entry: EntryRef,
  parent: EntryRef,
  context: EditContext,
): Promise<void> {
  const parentKind = TREE_KINDS.find((one) => one.entity === kind.parentEntity) ?? kind;
  let above: string | undefined = parent.urn;
  for (let depth = 0; above !== undefined && depth < MAX_DEPTH; depth++) {
    if (above === entry.urn)
      throw refuse('RULE_VIOLATED', `${entry.urn} cannot be moved below itself`, parent.at);
    const info: Record<string, unknown> | undefined = await context.aspectOf(above, parentKind.aspect);
    above = info?.[parentKind.parent] as string | undefined;
  }
}

const idOf = (urn: string): string => urn.split(':').slice(3).join(':');
