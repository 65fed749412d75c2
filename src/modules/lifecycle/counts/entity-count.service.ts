import { Injectable } from '@nestjs/common';
import { authorizeWhole, type Principal } from '../../../catalog/auth/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { Model, type EntitySpec } from '../../../catalog/model/index.js';
import { HeadRepository } from '../../entities/index.js';

export interface EntityCount {
  entity: EntitySpec;
  active: number;
  softDeleted: number;
}

/** How many entities there are of each type. */
@Injectable()
export class EntityCountService {
  constructor(
    private readonly model: Model,
    private readonly heads: HeadRepository,
  ) {}

  /**
   * In the order of `names`, each type once; all types of the model when absent.
   * @param pointer where the name with that index stands in the request.
   */
  async counts(
    principal: Principal,
    names: readonly string[] | undefined,
    pointer: (index: number) => string,
  ): Promise<EntityCount[]> {
    authorizeWhole(principal, 'read');
    const entities = names
      ? new Set(names.map((name, index) => this.entity(name, pointer(index))))
      : new Set(this.model.entities.values());
    const counts = new Map<string, EntityCount>();
    for (const entity of entities) counts.set(entity.name, { entity, active: 0, softDeleted: 0 });
    for (const { type, removed, n } of await this.heads.countsByType([...counts.keys()])) {
      const count = counts.get(type);
      if (count) count[removed ? 'softDeleted' : 'active'] = Number(n);
    }
    return [...counts.values()];
  }

  /** A page of the URNs of one type, without soft-deleted entities, however many there are. */
  async list(
    principal: Principal,
    name: string,
    start: number,
    count: number,
  ): Promise<{ entities: string[]; start: number; count: number; total: number }> {
    const [counted] = await this.counts(principal, [name], () => '/entity');
    const type = this.entity(name, '/entity').name;
    const entities = await this.heads.urnsOfType(type, start, count);
    return { entities, start, count: entities.length, total: counted?.active ?? 0 };
  }

  private entity(name: string, pointer: string): EntitySpec {
    const entity = this.model.findEntity(name);
    if (entity === undefined) throw refuse('ENTITY_UNKNOWN', `unknown entity type "${name}"`, pointer);
    return entity;
  }
}
