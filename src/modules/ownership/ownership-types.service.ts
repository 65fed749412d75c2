import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { EditService, refuseBlank } from '../ingest/index.js';
import { isSystemType } from './owners.js';

const TYPE = 'ownershipType';

/** Makes, describes and deletes kinds of ownership. Those that ship with the service stay as they are. */
@Injectable()
export class OwnershipTypesService {
  constructor(private readonly edits: EditService) {}

  /** @returns the URN @throws CatalogError PARAMETER_INVALID */
  async create(principal: Principal, name: string, description: string): Promise<string> {
    refuseBlank(name, 'a name', '/name');
    const urn = `urn:li:${TYPE}:${randomUUID()}`;
    await this.edits.submit(principal, [
      {
        urn,
        at: '',
        aspect: 'ownershipTypeInfo',
        what: 'name',
        entity: 'new',
        apply: (_, { stamp }) => ({ name, description, created: stamp, lastModified: stamp }),
      },
    ]);
    return urn;
  }

  /** What is left out stays as it is. @throws CatalogError ENTITY_NOT_FOUND, PARAMETER_INVALID */
  async describe(
    principal: Principal,
    urn: string,
    said: { name?: string | undefined; description?: string | undefined },
  ): Promise<void> {
    if (said.name !== undefined) refuseBlank(said.name, 'a name', '/name');
    await this.edits.submit(principal, [
      {
        ...this.own(urn),
        aspect: 'ownershipTypeInfo',
        what: 'name',
        apply: (current, { stamp }) => ({
          ...(current ?? { name: said.name ?? '', created: stamp }),
          ...said,
          lastModified: stamp,
        }),
      },
    ]);
  }

  /**
   * Permanently deletes a kind of ownership.
   * @param references whether it is taken off the owners that name it as well, in the background: they stay owners
   * @throws CatalogError ENTITY_NOT_FOUND, PARAMETER_INVALID
   */
  async delete(principal: Principal, urn: string, references: boolean): Promise<void> {
    await this.edits.delete(principal, this.own(urn), [], { keepReferences: !references });
  }

  private own(urn: string): { urn: string; at: string } {
    const target = { urn, at: '/urn' };
    this.edits.checkMentions([{ ...target, types: [TYPE] }]);
    if (isSystemType(urn))
      throw refuse('PARAMETER_INVALID', `${urn} ships with the service and stays as it is`, '/urn');
    return target;
  }
}
