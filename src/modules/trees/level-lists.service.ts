import { Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { readJson } from '../../catalog/json/index.js';
import { ChildRepository, EntityReader, type NamedEntity } from '../entities/index.js';
import { EditService } from '../ingest/index.js';
import type { TreeKind } from './tree-kinds.js';

const collator = new Intl.Collator('en', { numeric: true });

interface LevelPage {
  readonly start: number;
  readonly count: number;
  readonly total: number;
  readonly urns: string[];
}

const MAX_COUNT = 1_000;

/** What lies on one level of a tree, by name; soft-deleted entries are left out. */
@Injectable()
export class LevelListsService {
  constructor(
    private readonly repository: ChildRepository,
    private readonly edits: EditService,
    private readonly reader: EntityReader,
  ) {}

  /** @param parent the top when absent. @throws CatalogError PARAMETER_INVALID, URN_MALFORMED */
  async list(
    principal: Principal,
    kind: TreeKind,
    { start, count }: { start: number; count: number },
    parent?: { urn: string; at: string },
  ): Promise<LevelPage> {
    authorize(principal, 'read');
    if (start < 0) throw refuse('PARAMETER_INVALID', 'start must not be negative', '/start');
    if (count < 0) throw refuse('PARAMETER_INVALID', 'count must not be negative', '/count');
    if (parent !== undefined) this.edits.checkMentions([{ ...parent, types: [kind.parentEntity] }]);
    const { entity: entityType, aspect } = kind;
    const level = byName(await this.repository.onLevel({ entityType, aspect, parent: parent?.urn }));
    const told = await this.reader.tellable(principal, level);
    const urns = level.filter((urn) => told.has(urn));
    const page = urns.slice(start, start + Math.min(count, MAX_COUNT));
    return { start, count: page.length, total: urns.length, urns: page };
  }
}

/** By name and then URN. */
function byName(entities: readonly NamedEntity[]): string[] {
  const named = entities.map(({ urn, value }) => ({
    urn,
    name: (readJson(value) as { name?: string }).name ?? urn.split(':').slice(3).join(':'),
  }));
  named.sort((a, b) => collator.compare(a.name, b.name) || (a.urn < b.urn ? -1 : 1));
  return named.map(({ urn }) => urn);
}
