import type { AspectSpec, EntitySpec, Model } from '../../../catalog/model/index.js';
import { columnIn, tryParseUrn } from '../../../catalog/urn/index.js';
import { aspectFieldNames } from './names.js';

/** Fields that hold what an entity is called, the best first. */
const NAMES = ['displayName', 'name', 'title', 'fullName'];

/** Where the name of an entity is found. */
export interface Naming {
  readonly aspects: readonly string[];
  /** The first text among the values of the aspects, in their order; otherwise what the URN says. */
  readonly nameIn: (values: readonly unknown[], urn: string) => string;
}

/**
 * What entities of each type are called: what people wrote in the catalog, then what was reported, then the name in the
 * key. Only aspects that no
 * other entity has, or that are named after this one, say it.
 */
export class DisplayNames {
  private readonly byEntity = new Map<string, Naming>();
  private readonly users: ReadonlyMap<string, number>;

  constructor(private readonly model: Model) {
    const users = new Map<string, number>();
    for (const { aspects } of model.entities.values())
      for (const name of aspects.keys()) users.set(name, (users.get(name) ?? 0) + 1);
    this.users = users;
  }

  of(entity: string): Naming {
    let naming = this.byEntity.get(entity);
    if (!naming) this.byEntity.set(entity, (naming = this.make(this.model.entities.get(entity))));
    return naming;
  }

  private make(entity: EntitySpec | undefined): Naming {
    const own = entity ? [...entity.aspects.values()].filter((aspect) => this.isOwn(entity, aspect)) : [];
    const places = own
      .map(({ name, schema }) => ({
        name,
        fields: NAMES.filter((field) => schema.properties?.[field]?.type === 'string'),
      }))
      .filter(({ fields }) => fields.length > 0)
      .sort((a, b) => rank(a.name) - rank(b.name));
    const part = keyPart(entity);
    return {
      aspects: places.map(({ name }) => name),
      nameIn: (values, urn) => {
        for (const [i, { fields }] of places.entries()) {
          const value = values[i] as Record<string, unknown> | undefined;
          for (const field of value ? fields : []) {
            const text = value?.[field];
            if (typeof text === 'string' && text !== '') return text;
          }
        }
        return columnIn(urn)?.path ?? tryParseUrn(urn)?.parts.at(part) ?? urn;
      },
    };
  }

  private isOwn(entity: EntitySpec, aspect: AspectSpec): boolean {
    return (
      aspect !== entity.key &&
      !aspect.secret &&
      aspect.kind === 'versioned' &&
      (this.users.get(aspect.name) === 1 || aspectFieldNames(entity, aspect).length > 1)
    );
  }
}

/** What people wrote comes first. */
const rank = (aspect: string) => (/editable/i.test(aspect) ? 0 : 1);

/** Which part of the key is the name. */
function keyPart(entity: EntitySpec | undefined): number {
  const fields = entity?.key.keyFields ?? [];
  const found = ['name', `${entity?.name}Id`, 'flowId', 'jobId', 'id'].map((name) => fields.indexOf(name));
  return found.find((index) => index >= 0) ?? -1;
}
