import { Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import { ChildRepository, EntityReader } from '../entities/index.js';
import { NODE, TERM } from '../trees/index.js';

interface FolderCounts {
  readonly terms: number;
  readonly nodes: number;
}

/** How much lies in folders of the glossary. */
@Injectable()
export class FolderCountsService {
  constructor(
    private readonly repository: ChildRepository,
    private readonly reader: EntityReader,
  ) {}

  /** How many terms and folders lie in each folder itself that the caller may be told of. */
  async countsIn(principal: Principal, folders: readonly string[]): Promise<Map<string, FolderCounts>> {
    authorize(principal, 'read');
    const children = await this.repository.children(folders);
    const told = await this.reader.tellable(
      principal,
      children.map(({ urn }) => urn),
    );
    const counts = new Map(folders.map((urn) => [urn, { terms: 0, nodes: 0 }]));
    for (const { parent, urn, type } of children) {
      const found = counts.get(parent);
      if (!found || !told.has(urn)) continue;
      if (type === TERM.entity) found.terms += 1;
      else if (type === NODE.entity) found.nodes += 1;
    }
    return counts;
  }
}
