import { jsonPointer } from '../../../catalog/json/index.js';
import {
  isRecord,
  valuesAt,
  type AspectSpec,
  type EntitySpec,
  type Model,
} from '../../../catalog/model/index.js';
import { USER, type ExampleAspect, type ExampleSource } from '../../../catalog/route/index.js';
import { parseUrn } from '../../../catalog/urn/index.js';
import type { Schema } from '../document/openapi-types.js';
import type { Sample } from './sample.js';

const TIME = 1_780_903_800_000;

/** Values for the examples of a document: those of the sample, and where it has none, made up so that the model takes them. */
export class Examples implements ExampleSource {
  constructor(
    private readonly model: Model,
    private readonly sample: Sample,
  ) {}

  /** The first aspect that the sample has of a kind of entities: what people know it by. */
  example(kind: string, which: AspectSpec['kind'] = 'versioned'): ExampleAspect {
    const entity = this.model.entities.get(kind) ?? [...this.model.entities.values()][0]!;
    const aspect = this.known(entity, which) ?? entity.key;
    return {
      kind: entity.name,
      urn: this.urn(entity),
      aspect: aspect.name,
      record: aspect.record,
      value: this.value(entity, aspect),
      patch: this.patch(entity, aspect),
    };
  }

  /** The aspects that an example of the entity shows: its key, and what people know it by. */
  shown(entity: EntitySpec): AspectSpec[] {
    const known = this.known(entity, 'versioned');
    return known ? [entity.key, known] : [entity.key];
  }

  urn(entity: EntitySpec): string {
    const known = this.sample.get(entity.name);
    if (known) return known.urn;
    const fields = entity.key.keyFields ?? [];
    if (fields.length <= 1) return `urn:li:${entity.name}:example`;
    const parts = fields.map((field) => this.keyPart(entity.key, field));
    return `urn:li:${entity.name}:(${parts.join(',')})`;
  }

  /** A value of the aspect; of a key aspect the one of the example URN. */
  value(entity: EntitySpec, aspect: AspectSpec): unknown {
    if (aspect === entity.key) return this.model.keyFromUrn(parseUrn(this.urn(entity))).key;
    const known = this.sample.get(entity.name)?.aspects.get(aspect.name);
    return known ?? this.withTargets(aspect, this.made(aspect.schema, 0));
  }

  /** A patch that adds what is stored already: an element of a keyed array, or the first member. */
  patch(entity: EntitySpec, aspect: AspectSpec): unknown {
    const value = this.value(entity, aspect) as Record<string, unknown>;
    for (const { path, keys } of aspect.arrayKeys) {
      const [name, ...deeper] = path;
      const [key, ...others] = keys;
      const element: unknown = Array.isArray(value[name!]) ? (value[name!] as unknown[])[0] : undefined;
      if (deeper.length > 0 || others.length > 0 || key?.length !== 1 || !isRecord(element)) continue;
      const at = element[key[0]!];
      if (typeof at === 'string')
        return { patch: [{ op: 'add', path: jsonPointer([name!, at]), value: element }] };
    }
    const members = Object.entries(value).slice(0, 1);
    return {
      patch: members.map(([name, member]) => ({ op: 'add', path: jsonPointer([name]), value: member })),
    };
  }

  private known(entity: EntitySpec, kind: AspectSpec['kind']): AspectSpec | undefined {
    const names = [...(this.sample.get(entity.name)?.aspects.keys() ?? [])];
    const aspects = names.map((name) => entity.aspects.get(name));
    return aspects.find(
      (aspect) => aspect && aspect !== entity.key && !aspect.secret && aspect.kind === kind,
    );
  }

  /** URNs name what the model says they name. */
  private withTargets(aspect: AspectSpec, value: unknown): unknown {
    for (const { path, targets } of aspect.urns) {
      const entity = this.model.findEntity(targets[0] ?? '');
      if (!entity) continue;
      for (const { value: found, pointer } of valuesAt(value, path)) {
        if (targets.includes(String(found).split(':')[2] ?? '')) continue;
        const steps = pointer.split('/').slice(1);
        const last = steps.pop();
        const owner = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], value);
        (owner as Record<string, unknown>)[last!] = this.urn(entity);
      }
    }
    return value;
  }

  private keyPart(key: AspectSpec, field: string): string {
    const schema = key.schema.properties?.[field] ?? {};
    const values = schema.enum ?? (schema.$ref ? this.model.definitions.get(schema.$ref)?.enum : undefined);
    if (values) return String(values.includes('PROD') ? 'PROD' : values[0]);
    return schema.format === 'urn' ? 'urn:li:dataPlatform:snowflake' : `example-${field}`.toLowerCase();
  }

  /** The least that the schema takes. */
  private made(schema: Schema, depth: number): unknown {
    if (typeof schema.$ref === 'string')
      return this.made(this.model.definitions.get(schema.$ref) ?? {}, depth + 1);
    if (schema.default !== undefined) return schema.default;
    if (schema.enum) return schema.enum[0];
    const union = schema['x-union'] ? this.member(schema) : undefined;
    if (union) return { [union[0]]: this.made(union[1], depth + 1) };
    switch (String(schema.type)) {
      case 'string':
        return schema.format === 'urn' ? USER : 'text';
      case 'integer':
        return /time|millis/i.test(schema.description ?? '') ? TIME : 1;
      case 'number':
        return 0.5;
      case 'boolean':
        return false;
      case 'array':
        return depth > 6 ? [] : [this.made(schema.items ?? {}, depth + 1)];
      case 'object':
        return this.object(schema, depth);
      default:
        return 'text';
    }
  }

  private object(schema: Schema, depth: number): unknown {
    const entries = Object.entries(schema.properties ?? {});
    const needed = entries.filter(([name]) => schema.required?.includes(name));
    const first = needed.length > 0 || depth > 0 ? [] : entries.slice(0, 1);
    return Object.fromEntries(
      [...needed, ...first].map(([name, member]) => [name, this.made(member, depth + 1)]),
    );
  }

  private member(schema: Schema): [string, Schema] | undefined {
    const [own] = Object.entries(schema.properties ?? {});
    if (own) return own;
    const [record] = schema['x-union'] ?? [];
    const [member] = Object.values(schema.patternProperties ?? {});
    return record !== undefined && isRecord(member) ? [`com.linkedin.${record}`, member] : undefined;
  }
}
