import { isRecord, mapSchema, visitSchema, type JsonSchema } from './json-schema.js';
import { ModelError, type ModelProblem } from './model-error.js';
import { placeOf, type ModelDocument } from './model-files.js';
import { checkGraphqlMark } from './graphql-marks.js';
import { MarkChecks } from './mark-checks.js';
import {
  readArrayKeys,
  readParallelLists,
  readPatchStamps,
  readRelationships,
  readSearchFields,
  readUrnFields,
  type Complain,
} from './model-marks.js';
import { readEntityMarks } from './entity-marks.js';
import type { AspectSpec, EntitySpec } from './specs.js';
import { SCALARS, expandUnion } from './union.js';

/** What the files add up to. */
export interface BuiltModel {
  readonly entities: ReadonlyMap<string, EntitySpec>;
  readonly aspects: ReadonlyMap<string, AspectSpec>;
  /** Every schema that a `$ref` may name: records, enums, and aspects under their record names. */
  readonly definitions: ReadonlyMap<string, JsonSchema>;
}

interface Source {
  readonly file: string;
  readonly content: Record<string, unknown>;
}

const ENTITY_KEYS = [
  'entity',
  'description',
  'category',
  'keyAspect',
  'aspects',
  'searchGroup',
  'parentField',
  'platformField',
  'browsePath',
  'apiDocument',
  'graphql',
  'clearReferences',
  'strictReferences',
];
/** What shows a part of an aspect in another place than its value. */
const SHOWING_MARKS = ['x-searchable', 'x-relationship', 'x-timeseries', 'x-key'];
/** Keys of an aspect file that are about the aspect; all others are its JSON Schema. */
const ASPECT_KEYS = new Set([
  'aspect',
  'record',
  'schemaVersion',
  'entities',
  'x-timeseries',
  'x-secret',
  'x-managed',
  'x-privilege',
  'x-key',
  'x-searchable',
  'x-relationship',
  'x-urn',
  'x-array-key',
  'x-parallel-list',
  'x-patch-stamp',
  'x-column-lineage',
  'x-removed',
]);
/** What may be allowed besides `EDIT_ENTITY`. */
const PRIVILEGE = /^EDIT_[A-Z_]{1,59}$/;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,127}$/;
const RECORD_NAME = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/;

/**
 * Puts the files together and checks that they fit: names are unique, references and paths lead somewhere, every
 * entity has its key.
 * @throws ModelError with all problems, those in `problems` included.
 */
export function buildModel(documents: readonly ModelDocument[], problems: ModelProblem[]): BuiltModel {
  return new ModelBuilder(problems).build(documents);
}

class ModelBuilder {
  private readonly entities = new Map<string, EntitySpec>();
  private readonly aspects = new Map<string, AspectSpec>();
  private readonly definitions = new Map<string, JsonSchema>();
  private readonly aspectSources = new Map<string, Source>();
  private readonly entitySources = new Map<string, Source>();
  /** First file of each name, to name both in a conflict. Entities and aspects match whatever their case. */
  private readonly owners = new Map<string, string>();

  constructor(private readonly problems: ModelProblem[]) {}

  build(documents: readonly ModelDocument[]): BuiltModel {
    const sources = { entity: [] as Source[], aspect: [] as Source[], records: [] as Source[] };
    for (const { file, content } of documents) {
      if (!isRecord(content))
        this.complain(file, [], 'must be a map: an entity, an aspect, or records by name');
      else if ('entity' in content) sources.entity.push({ file, content });
      else if ('aspect' in content) sources.aspect.push({ file, content });
      else sources.records.push({ file, content });
    }
    for (const source of sources.records) this.addRecords(source);
    for (const source of sources.aspect) this.addAspect(source);
    for (const source of sources.entity) this.addEntity(source);
    this.checkReferences(sources);
    for (const source of sources.aspect) this.joinEntities(source);
    this.checkKeys(sources.aspect);
    if (this.problems.length === 0) {
      const built = { entities: this.entities, aspects: this.aspects, definitions: this.definitions };
      const checks = (file: string) =>
        new MarkChecks(built, (place, reason) => this.complain(file, place, reason));
      for (const [name, { file }] of this.aspectSources) checks(file).aspect(name);
      for (const [name, { file, content }] of this.entitySources)
        checks(file).parentField(name, content['parentField']);
    }
    if (this.problems.length > 0) throw new ModelError(this.problems);
    return { entities: this.entities, aspects: this.aspects, definitions: this.definitions };
  }

  private addRecords({ file, content }: Source): void {
    for (const [name, schema] of Object.entries(content)) {
      if (!RECORD_NAME.test(name)) {
        const hint =
          'neither entity nor aspect is given, so every key must be a record name such as common.AuditStamp';
        this.complain(file, [name], `bad record name "${name}" (${hint})`);
      } else if (!isRecord(schema)) this.complain(file, [name], 'must be a JSON Schema');
      else this.define(file, [name], name, schema);
    }
  }

  private addAspect(source: Source): void {
    const { file, content } = source;
    const name = this.name(source, 'aspect');
    if (name === undefined) return;
    const record = content['record'] ?? `custom.${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    if (typeof record !== 'string' || !RECORD_NAME.test(record)) {
      return this.complain(file, ['record'], 'must be a record name such as common.Status');
    }
    const version = content['schemaVersion'] ?? 1;
    if (!Number.isSafeInteger(version))
      return this.complain(file, ['schemaVersion'], 'must be a whole number');
    const schema: JsonSchema = Object.fromEntries(
      Object.entries(content).filter(([k]) => !ASPECT_KEYS.has(k)),
    );
    if (schema.type !== 'object')
      return this.complain(file, ['type'], 'an aspect is an object: type: object');
    const timeseries = content['x-timeseries'] === true;
    if (timeseries && schema.properties?.['timestampMillis']?.type !== 'integer') {
      this.complain(file, ['properties'], 'a time series needs a field timestampMillis of type integer');
    }
    this.define(file, [], record, this.hoist(file, record, schema));
    const complainAt =
      (mark: string): Complain =>
      (place, reason) =>
        this.complain(file, [mark, ...place], reason);
    const columnLineage = this.readFieldName(source, 'x-column-lineage');
    const removedField = this.readFieldName(source, 'x-removed');
    const editPrivilege = this.readPrivilege(source);
    const secret = this.readFlag(source, 'x-secret');
    if (secret) this.refuseShowingMarks(source);
    this.aspectSources.set(name, source);
    this.aspects.set(name, {
      name,
      record,
      kind: timeseries ? 'timeseries' : 'versioned',
      schemaVersion: version as number,
      description: typeof schema.description === 'string' ? schema.description : '',
      schema: this.definitions.get(record) ?? {},
      search: readSearchFields(content['x-searchable'], complainAt('x-searchable')),
      relationships: readRelationships(content['x-relationship'], complainAt('x-relationship')),
      urns: readUrnFields(content['x-urn'], complainAt('x-urn')),
      arrayKeys: readArrayKeys(content['x-array-key'], complainAt('x-array-key')),
      parallelLists: readParallelLists(content['x-parallel-list'], complainAt('x-parallel-list')),
      patchStamps: readPatchStamps(content['x-patch-stamp'], complainAt('x-patch-stamp')),
      ...(columnLineage !== undefined && { columnLineage }),
      ...(removedField !== undefined && { removedField }),
      ...(editPrivilege !== undefined && { editPrivilege }),
      secret,
      managed: this.readFlag(source, 'x-managed'),
    });
  }

  private readFlag({ file, content }: Source, mark: string): boolean {
    const flag = content[mark] ?? false;
    if (typeof flag !== 'boolean') this.complain(file, [mark], 'must be true or false');
    return flag === true;
  }

  private readPrivilege({ file, content }: Source): string | undefined {
    const privilege = content['x-privilege'];
    if (privilege === undefined || (typeof privilege === 'string' && PRIVILEGE.test(privilege)))
      return privilege;
    this.complain(file, ['x-privilege'], 'must be a name such as EDIT_ENTITY_TAGS');
    return undefined;
  }

  private readFieldName({ file, content }: Source, mark: string): string | undefined {
    const field = content[mark];
    if (field === undefined || typeof field === 'string') return field;
    this.complain(file, [mark], 'must be the name of a field');
    return undefined;
  }

  /** A secret must not be found by its values, nor by what they lead to. */
  private refuseShowingMarks({ file, content }: Source): void {
    for (const mark of SHOWING_MARKS)
      if (content[mark] !== undefined)
        this.complain(file, [mark], 'a secret (x-secret) cannot have this mark');
  }

  private addEntity(source: Source): void {
    const { file, content } = source;
    const name = this.name(source, 'entity');
    if (name === undefined) return;
    for (const key of Object.keys(content)) {
      if (!ENTITY_KEYS.includes(key))
        this.complain(file, [key], `unknown key, must be one of ${ENTITY_KEYS.join(', ')}`);
    }
    const category = content['category'] ?? 'core';
    if (category !== 'core' && category !== 'internal') {
      return this.complain(file, ['category'], 'must be core or internal');
    }
    const key = this.aspects.get(String(content['keyAspect']));
    if (!key)
      return this.complain(file, ['keyAspect'], `unknown key aspect "${String(content['keyAspect'])}"`);
    if (key.keyOf !== undefined) {
      return this.complain(file, ['keyAspect'], `"${key.name}" is already the key aspect of "${key.keyOf}"`);
    }
    const keySpec: AspectSpec = { ...key, keyOf: name, keyFields: Object.keys(key.schema.properties ?? {}) };
    this.aspects.set(key.name, keySpec);
    const aspects = new Map([[key.name, keySpec]]);
    const listed: unknown = content['aspects'] ?? [];
    if (!Array.isArray(listed)) return this.complain(file, ['aspects'], 'must be an array of aspect names');
    listed.forEach((aspect: unknown, index) => {
      const spec = this.aspects.get(String(aspect));
      if (!spec) this.complain(file, ['aspects', String(index)], `unknown aspect "${String(aspect)}"`);
      else if (aspects.has(spec.name))
        this.complain(file, ['aspects', String(index)], `"${spec.name}" is there twice`);
      else aspects.set(spec.name, spec);
    });
    const group = content['searchGroup'];
    const parent = content['parentField'];
    this.entitySources.set(name, source);
    this.entities.set(name, {
      name,
      description: typeof content['description'] === 'string' ? content['description'] : '',
      category,
      key: keySpec,
      aspects,
      ...(typeof group === 'string' && { searchGroup: group }),
      ...(typeof parent === 'string' && { parentField: parent }),
      ...readEntityMarks(content, keySpec, (place, reason) => this.complain(file, place, reason)),
      has: (aspect) => aspects.has(aspect),
    });
  }

  /** An aspect may name the entities it belongs to: how one is added to an entity of another owner. */
  private joinEntities({ file, content }: Source): void {
    const spec = this.aspects.get(String(content['aspect']));
    const named: unknown = content['entities'] ?? [];
    if (!Array.isArray(named)) return this.complain(file, ['entities'], 'must be an array of entity names');
    named.forEach((name: unknown, index) => {
      const entity = this.entities.get(String(name));
      if (!entity) this.complain(file, ['entities', String(index)], `unknown entity "${String(name)}"`);
      else if (spec) (entity.aspects as Map<string, AspectSpec>).set(spec.name, spec);
    });
  }

  private checkKeys(sources: readonly Source[]): void {
    const used = new Set([...this.entities.values()].flatMap((e) => [...e.aspects.keys()]));
    for (const { file, content } of sources) {
      const spec = this.aspects.get(String(content['aspect']));
      if (!spec) continue;
      const marked = content['x-key'];
      if (marked !== spec.keyOf) {
        const expected =
          spec.keyOf === undefined ? 'no entity has it as its key aspect' : `must be ${spec.keyOf}`;
        this.complain(file, ['x-key'], expected);
      }
      if (spec.keyOf !== undefined && (spec.keyFields?.length === 0 || spec.kind === 'timeseries')) {
        this.complain(file, ['properties'], 'a key aspect has at least one field and is no time series');
      }
      if (!used.has(spec.name)) {
        this.complain(
          file,
          [],
          `no entity has the aspect "${spec.name}": list it in entities, or in an entity file`,
        );
      }
    }
  }

  /** Every `$ref` and every union member must name a definition. */
  private checkReferences(sources: { aspect: readonly Source[]; records: readonly Source[] }): void {
    const check = (file: string, root: JsonSchema, at: string): void =>
      visitSchema(root, at, (schema, pointer) => {
        const complain = (keyword: string, reason: string): void =>
          this.complain(file, [...pointer.split('/').slice(1), keyword], reason);
        const { $ref, 'x-graphql': graphql, 'x-enum-descriptions': texts } = schema;
        if (texts !== undefined && !describes(texts, schema.enum))
          complain('x-enum-descriptions', 'must map values of the enum to strings');
        if (graphql !== undefined) {
          const at = [...pointer.split('/').slice(1), 'x-graphql'];
          checkGraphqlMark(graphql, this.entities, (place, reason) =>
            this.complain(file, [...at, ...place], reason),
          );
        }
        if (typeof $ref === 'string' && !this.definitions.has($ref) && !isLocal($ref, root)) {
          complain('$ref', `unknown record or enum "${$ref}"`);
        }
        for (const member of unionMembers(schema)) {
          if (!this.definitions.has(member) && !SCALARS.has(member))
            complain('x-union', `unknown member "${member}"`);
        }
      });
    for (const { file, content } of sources.aspect) check(file, content, '');
    for (const { file, content } of sources.records) {
      for (const [name, schema] of Object.entries(content))
        if (isRecord(schema)) check(file, schema, `/${name}`);
    }
  }

  /** Moves the `$defs` of an aspect among the definitions, under names below the aspect's record. */
  private hoist(file: string, record: string, schema: JsonSchema): JsonSchema {
    const { $defs, ...rest } = schema;
    if (!isRecord($defs)) return rest;
    const inner = (s: JsonSchema): JsonSchema =>
      s.$ref?.startsWith('#/$defs/') ? { ...s, $ref: `${record}.${s.$ref.slice('#/$defs/'.length)}` } : s;
    for (const [name, definition] of Object.entries($defs)) {
      if (!isRecord(definition)) this.complain(file, ['$defs', name], 'must be a JSON Schema');
      else this.define(file, ['$defs', name], `${record}.${name}`, mapSchema(definition, inner));
    }
    return mapSchema(rest, inner);
  }

  private define(file: string, place: readonly string[], name: string, schema: JsonSchema): void {
    if (!this.claim(file, place, `record ${name}`)) return;
    visitSchema(schema, '', (s, pointer) => {
      for (const field of Object.keys(s.properties ?? {})) {
        // Such a field would be "present" in every object there is.
        if (field in Object.prototype) {
          this.complain(
            file,
            [...place, ...pointer.split('/').slice(1), 'properties', field],
            'this name is reserved',
          );
        }
      }
    });
    this.definitions.set(
      name,
      mapSchema(schema, (s) => closed(expandUnion(s))),
    );
  }

  private name({ file, content }: Source, kind: 'aspect' | 'entity'): string | undefined {
    const name = content[kind];
    if (typeof name !== 'string' || !NAME.test(name)) {
      this.complain(file, [kind], 'must be a name of letters, digits and underscores');
      return undefined;
    }
    return this.claim(file, [kind], `${kind} ${name}`) ? name : undefined;
  }

  private claim(file: string, place: readonly string[], what: string): boolean {
    const owner = this.owners.get(what.toLowerCase());
    if (owner === undefined) {
      this.owners.set(what.toLowerCase(), file);
      return true;
    }
    this.complain(file, place, `duplicate ${what}, it is in ${owner} already`);
    return false;
  }

  private complain(file: string, path: readonly string[], reason: string): void {
    this.problems.push({ file, place: placeOf(file, path), reason });
  }
}

/** An object with named fields has no others, unless the schema speaks about them. */
function closed(schema: JsonSchema): JsonSchema {
  return schema.properties && schema.type === 'object' && schema.additionalProperties === undefined
    ? { ...schema, additionalProperties: false }
    : schema;
}

function describes(texts: unknown, values: readonly unknown[] = []): boolean {
  return (
    isRecord(texts) &&
    Object.entries(texts).every(([key, text]) => values.includes(key) && typeof text === 'string')
  );
}

function unionMembers(schema: JsonSchema): string[] {
  const members: unknown = schema['x-union'];
  return Array.isArray(members) ? members.map(String) : [];
}

function isLocal(ref: string, root: JsonSchema): boolean {
  const name = ref.startsWith('#/$defs/') ? ref.slice('#/$defs/'.length) : undefined;
  return name !== undefined && isRecord(root['$defs']) && name in root['$defs'];
}
