import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { EditService, merged, refuseBlank } from '../ingest/index.js';

const TYPE = 'dataHubView';
const ASPECT = 'dataHubViewInfo';

/** What people say of a view, as the aspect keeps it; what is left out stays as it is. */
export interface SaidOfView {
  readonly name?: string;
  readonly description?: string;
  readonly definition?: object;
}

/** Keeps views: filters that people give a name. */
@Injectable()
export class ViewsService {
  constructor(private readonly edits: EditService) {}

  /** @returns the URN. @throws CatalogError PARAMETER_INVALID */
  async create(
    principal: Principal,
    type: string,
    said: SaidOfView & Required<Pick<SaidOfView, 'name' | 'definition'>>,
  ): Promise<string> {
    refuseBlank(said.name, 'a name', '/name');
    const urn = `urn:li:${TYPE}:${randomUUID()}`;
    await this.edits.submit(principal, [
      {
        ...{ urn, at: '', entity: 'new', aspect: ASPECT, what: 'filter' },
        apply: (_, { stamp }) => ({ ...said, type, created: stamp, lastModified: stamp }),
      },
    ]);
    return urn;
  }

  /** @throws CatalogError ENTITY_NOT_FOUND, PARAMETER_INVALID */
  async update(principal: Principal, urn: string, said: SaidOfView): Promise<void> {
    if (said.name !== undefined) refuseBlank(said.name, 'a name', '/name');
    await this.edits.submit(principal, [
      {
        ...{ ...this.view(urn), aspect: ASPECT, what: 'filter' },
        apply: (current, { stamp }) => {
          if (current === undefined) throw refuse('ENTITY_NOT_FOUND', `${urn} is no view yet`, '/urn');
          return merged(current, { ...said, lastModified: stamp });
        },
      },
    ]);
  }

  /** Permanently deletes a view. @throws CatalogError ENTITY_NOT_FOUND, PARAMETER_INVALID */
  async delete(principal: Principal, urn: string): Promise<void> {
    await this.edits.delete(principal, this.view(urn), []);
  }

  private view(urn: string): { urn: string; at: string } {
    const target = { urn, at: '/urn' };
    this.edits.checkMentions([{ ...target, types: [TYPE] }]);
    return target;
  }
}
