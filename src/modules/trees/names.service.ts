import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { withArticle } from '../../catalog/with-article.js';
import { EditService, refuseBlank, withText, type TextPlace } from '../ingest/index.js';
import { TREE_KINDS } from './tree-kinds.js';
import { TreeService, type EntryRef } from './tree.service.js';

/** Other things that people name. */
const OTHERS: Readonly<Record<string, TextPlace>> = {
  tag: { aspect: 'tagProperties', field: 'name', start: {} },
  dataProduct: { aspect: 'dataProductProperties', field: 'name', start: {} },
  dataset: { aspect: 'editableDatasetProperties', field: 'name', start: {}, stamped: true },
  application: { aspect: 'applicationProperties', field: 'name', start: {} },
  corpGroup: {
    aspect: 'corpGroupInfo',
    field: 'displayName',
    start: { admins: [], members: [], groups: [] },
  },
};

/** Gives new names to what people name: terms, folders, domains, and a few more. */
@Injectable()
export class NamesService {
  constructor(
    private readonly tree: TreeService,
    private readonly edits: EditService,
  ) {}

  /** @throws CatalogError ENTITY_NOT_FOUND, NAME_TAKEN, PARAMETER_INVALID, ASPECT_UNKNOWN */
  async rename(principal: Principal, entry: EntryRef, name: string): Promise<void> {
    const { entity } = this.edits.entity(entry.urn, entry.at);
    const kind = TREE_KINDS.find((one) => one.entity === entity.name);
    if (kind !== undefined) return this.tree.rename(principal, kind, entry, name);
    const place = OTHERS[entity.name];
    if (place === undefined)
      throw refuse('ASPECT_UNKNOWN', `${withArticle(entity.name)} has no name that can be changed`, entry.at);
    refuseBlank(name, 'a name', '/name');
    await this.edits.submit(principal, [
      {
        ...entry,
        aspect: place.aspect,
        what: 'name',
        apply: (current, { stamp }) => withText(place, name, current, stamp),
      },
    ]);
  }
}
