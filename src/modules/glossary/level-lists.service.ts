import { Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { EntityReader } from '../entities/index.js';
import { EditService } from '../ingest/index.js';
import type { TreeKind } from './tree-kinds.js';
import { TreeRepository } from './tree.repository.js';

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
    private readonly repository: TreeRepository,
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
    if (count < 0 || count > MAX_COUNT)
      throw refuse('PARAMETER_INVALID', `count must be from 0 to ${MAX_COUNT}`, '/count');
    if (parent !== undefined) this.edits.checkMentions([{ ...parent, types: [kind.parentEntity] }]);
    const level = await this.repository.level(kind, parent?.urn);
    const told = await this.reader.tellable(principal, level);
    const urns = level.filter((urn) => told.has(urn));
    const page = urns.slice(start, start + count);
    return { start, count: page.length, total: urns.length, urns: page };
  }
}
