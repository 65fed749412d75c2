import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { EditService, refuseBlank } from '../ingest/index.js';
import { TREE_KINDS } from './tree-kinds.js';
import { TreeService, type EntryRef } from './tree.service.js';

/** Where a name is kept, and what the aspect cannot be without. */
interface Place {
  readonly aspect: string;
  readonly field: string;
  readonly start: Readonly<Record<string, unknown>>;
  /** Whether the aspect says who changed it. */
  readonly stamped?: boolean;
}

/** Other things that people name. */
const OTHERS: Readonly<Record<string, Place>> = {
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
      throw refuse('ASPECT_UNKNOWN', `a ${entity.name} has no name that can be changed`, entry.at);
    refuseBlank(name, 'a name', '/name');
    await this.edits.submit(principal, [
      {
        ...entry,
        aspect: place.aspect,
        what: 'name',
        apply: (current, { stamp }) => {
          if (current?.[place.field] === name) return undefined;
          const base = current ?? { ...place.start, ...(place.stamped && { created: stamp }) };
          return { ...base, [place.field]: name, ...(place.stamped && { lastModified: stamp }) };
        },
      },
    ]);
  }
}
