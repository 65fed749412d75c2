import { isRecord, type JsonSchema } from './json-schema.js';
import { RELATIONSHIP_PATHS, type Complain } from './model-marks.js';
import type { AspectSpec, EntitySpec } from './specs.js';
import { unionMember } from './union.js';

interface Read {
  readonly entities: ReadonlyMap<string, EntitySpec>;
  readonly aspects: ReadonlyMap<string, AspectSpec>;
  readonly definitions: ReadonlyMap<string, JsonSchema>;
}

/** Whether the marks of one file fit the whole model. */
export class MarkChecks {
  constructor(
    private readonly model: Read,
    private readonly complain: Complain,
  ) {}

  /** Every path of a mark must lead to a field, every target must be an entity. */
  aspect(name: string): void {
    const spec = this.model.aspects.get(name);
    if (!spec) return;
    const path = (place: readonly string[], segments: readonly string[]): void => {
      const dead = this.deadEnd(spec.schema, segments);
      if (dead) this.complain(place, `no field at "${segments.join('/')}": ${dead}`);
    };
    const targets = (place: readonly string[], names: readonly string[]): void => {
      for (const target of names) {
        if (!this.model.entities.has(target)) this.complain(place, `unknown entity "${target}"`);
      }
    };
    spec.search.forEach((row, i) => path(['x-searchable', String(i), 'path'], row.path));
    spec.relationships.forEach((row, i) => {
      const place = ['x-relationship', String(i)];
      path([...place, 'path'], row.path);
      targets([...place, 'targets'], row.targets);
      for (const key of RELATIONSHIP_PATHS) if (row[key]) path([...place, key], row[key]);
    });
    spec.urns.forEach((row, i) => {
      path(['x-urn', String(i), 'path'], row.path);
      targets(['x-urn', String(i), 'targets'], row.targets);
    });
    spec.arrayKeys.forEach((row, i) => {
      const place = ['x-array-key', String(i)];
      path([...place, 'path'], [...row.path, '*']);
      row.keys.forEach((key, k) => path([...place, 'keys', String(k)], [...row.path, '*', ...key]));
    });
    spec.parallelLists.forEach((row, i) => {
      const place = ['x-parallel-list', String(i)];
      path([...place, 'path'], [row.path, '*', row.key]);
      path([...place, 'list'], [row.list, '*']);
    });
    spec.patchStamps.forEach((row, i) => path(['x-patch-stamp', String(i), 'path'], row));
    if (spec.columnLineage !== undefined)
      path(['x-column-lineage'], [spec.columnLineage, '*', 'downstreams', '*']);
    if (spec.removedField !== undefined) {
      path(['x-removed'], [spec.removedField]);
      const other = [...this.model.aspects.values()].find((a) => a !== spec && a.removedField !== undefined);
      if (other) this.complain(['x-removed'], `the aspect "${other.name}" says so already`);
    }
  }

  /** The field above must be one that leads to other entities. */
  parentField(entity: string, parent: unknown): void {
    if (parent === undefined) return;
    if (typeof parent !== 'string') return this.complain(['parentField'], 'must be a name');
    const leads = [...(this.model.entities.get(entity)?.aspects.values() ?? [])].some(
      ({ search, relationships }) =>
        search.some(
          ({ field, path }) =>
            field === parent && relationships.some((row) => row.path.join('/') === path.join('/')),
        ),
    );
    if (!leads) {
      const field = `"${parent}" is no search field of "${entity}" with a relationship over the same path`;
      this.complain(['parentField'], field);
    }
  }

  /** Why a path leads nowhere, or undefined when it leads to a field. */
  private deadEnd(schema: JsonSchema, path: readonly string[]): string | undefined {
    let here: JsonSchema | undefined = schema;
    for (const segment of path) {
      here = this.deref(here);
      let next: JsonSchema | undefined;
      if (segment === '*') {
        next = here.items ?? (isRecord(here.additionalProperties) ? here.additionalProperties : undefined);
        if (!next) return '"*" needs an array or a map';
      } else {
        next = here['x-union'] ? unionMember(here, segment) : here.properties?.[segment];
        if (!next) return `"${segment}" is not a field there`;
      }
      here = next;
    }
    return undefined;
  }

  private deref(schema: JsonSchema): JsonSchema {
    let here = schema;
    // A chain of references is finite unless it is a circle of nothing but references.
    for (let hops = 0; typeof here.$ref === 'string' && hops < 100; hops++)
      here = this.model.definitions.get(here.$ref) ?? {};
    return here;
  }
}
