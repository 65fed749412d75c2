import { ITEMS_A_STEP, type Steps } from '../schedule/index.js';
import type { Urn } from '../urn/urn.js';
import { tryParseUrn } from '../urn/urn.js';
import { withArticle } from '../with-article.js';
import { AspectValidators, type UnknownFields } from './aspect-validator.js';
import { EntityKeyError, keyFromUrn, urnFromKey } from './entity-keys.js';
import { isRecord, mapRefs, type JsonSchema } from './json-schema.js';
import { buildModel, type BuiltModel } from './model-builder.js';
import { ModelError, type ModelProblem } from './model-error.js';
import {
  builtInSource,
  placeOf,
  readFolder,
  readSource,
  type ModelDocument,
  type ModelSource,
} from './model-files.js';
import type { AspectSpec, EntitySpec, UrnFieldSpec, Violation } from './specs.js';
import { namesRecord } from './union.js';
import { plainValuesAt, valuesAt } from './values-at.js';

/** Where the model comes from and how strict it is. */
export interface ModelOptions {
  /** The model that ships with the service; found beside the code when left out. */
  builtIn?: ModelSource;
  /** A folder with the user's own entities and aspects (`CATALOG_MODELS`). */
  userFolder?: string;
  /** Fields that no schema names: refused (the default), or stored untouched. */
  unknownFields?: UnknownFields;
}

/** More violations than this do not help. */
const MAX_VIOLATIONS = 20;

/**
 * The registry of entities and aspects, and the rules of their values. Everything else derives from it.
 * Source: specification, "Resources and their fields".
 */
export class Model {
  readonly entities: ReadonlyMap<string, EntitySpec>;
  readonly aspects: ReadonlyMap<string, AspectSpec>;
  /** Every schema that a `$ref` may name, by record name; those of the aspects included. */
  readonly definitions: ReadonlyMap<string, JsonSchema>;

  /** The aspect whose mark `x-removed` names the field that soft-deletes an entity. */
  readonly softDeletion: AspectSpec | undefined;

  private readonly validators: AspectValidators;
  private readonly entitiesByLowerName: ReadonlyMap<string, EntitySpec>;
  private readonly entitiesBySnapshot: ReadonlyMap<string, EntitySpec>;
  private readonly aspectsByLowerName: ReadonlyMap<string, AspectSpec>;
  /** By the last segment of the record name; several namespaces may share one. */
  private readonly aspectsByRecord: ReadonlyMap<string, readonly AspectSpec[]>;

  private constructor(built: BuiltModel, unknownFields: UnknownFields) {
    this.entities = built.entities;
    this.aspects = built.aspects;
    this.definitions = built.definitions;
    this.validators = new AspectValidators(built.definitions, unknownFields);
    const entities = [...built.entities.values()];
    const aspects = [...built.aspects.values()];
    this.softDeletion = aspects.find(({ removedField }) => removedField !== undefined);
    this.entitiesByLowerName = new Map(entities.map((e) => [e.name.toLowerCase(), e]));
    this.entitiesBySnapshot = new Map(entities.map((e) => [lastSegment(snapshotRecord(e)).toLowerCase(), e]));
    this.aspectsByLowerName = new Map(aspects.map((a) => [a.name.toLowerCase(), a]));
    this.aspectsByRecord = Map.groupBy(aspects, (a) => lastSegment(a.record));
  }

  /**
   * Reads the model that ships with the service and the user's own files.
   * @throws ModelError naming file, place and reason of everything that is wrong.
   */
  static load(options: ModelOptions = {}): Model {
    const problems: ModelProblem[] = [];
    const documents = readSource(options.builtIn ?? builtInSource(), problems);
    const own = options.userFolder === undefined ? [] : readFolder(options.userFolder, problems);
    const model = Model.fromDocuments([...documents, ...own], options.unknownFields, problems);
    // The model that ships is known to compile; a user's file is tried now, not when the first value comes.
    for (const document of own) problems.push(...model.schemaProblems(document));
    if (problems.length > 0) throw new ModelError(problems);
    return model;
  }

  /** Builds a model from parsed files. @throws ModelError */
  static fromDocuments(
    documents: readonly ModelDocument[],
    unknownFields: UnknownFields = 'refuse',
    problems: ModelProblem[] = [],
  ): Model {
    return new Model(buildModel(documents, problems), unknownFields);
  }

  /** The entity of that name, whatever its case. */
  findEntity(name: string): EntitySpec | undefined {
    return this.entities.get(name) ?? this.entitiesByLowerName.get(name.toLowerCase());
  }

  /** The aspect of that name among those of the entity, whatever its case. */
  findAspect(entity: EntitySpec, name: string): AspectSpec | undefined {
    const aspect = this.aspectsByLowerName.get(name.toLowerCase());
    return aspect && entity.has(aspect.name) ? aspect : undefined;
  }

  /** The aspect of that record name under any namespace: `acme.common.Status` is `status`. */
  findAspectByRecord(record: string): AspectSpec | undefined {
    const candidates = this.aspectsByRecord.get(lastSegment(record)) ?? [];
    const exact = candidates.find((a) => namesRecord(record, a.record));
    if (exact) return exact;
    // A name cut shorter than ours, "Status", is good enough while it can only mean one.
    const shorter = candidates.filter((a) => namesRecord(a.record, record));
    return shorter.length === 1 ? shorter[0] : undefined;
  }

  /** The entity of a snapshot record under any namespace: `acme.metadata.snapshot.DatasetSnapshot` is `dataset`. */
  findEntityBySnapshot(record: string): EntitySpec | undefined {
    return this.entitiesBySnapshot.get(lastSegment(record).toLowerCase());
  }

  /** The name of the entity's snapshot record, without the vendor's namespace. */
  snapshotRecord(entity: EntitySpec): string {
    return snapshotRecord(entity);
  }

  /**
   * Checks a value against its aspect and fills in defaults in place. Empty when valid, else at most 20 violations.
   * Whether URNs that must exist do exist is left to the writer, see `AspectSpec.urns`.
   */
  validate(aspect: AspectSpec, value: unknown): Violation[] {
    if (!isRecord(value)) return [{ pointer: '', message: 'an aspect must be an object' }];
    const violations = this.validators.check(aspect, value, MAX_VIOLATIONS);
    return violations.length > 0 ? violations : this.urnViolations(aspect, value);
  }

  /** {@link validate} of a large value, in steps. */
  *validateInSteps(aspect: AspectSpec, value: unknown): Steps<Violation[]> {
    if (!isRecord(value)) return this.validate(aspect, value);
    const violations = yield* this.validators.checkInSteps(aspect, value, MAX_VIOLATIONS);
    if (violations.length > 0) return violations;
    for (const row of aspect.urns) {
      let looked = 0;
      for (const found of plainValuesAt(value, row.path)) {
        if (this.urnFault(row, found) !== undefined) return this.urnViolations(aspect, value);
        looked += 1;
        if (looked % ITEMS_A_STEP === 0) yield;
      }
      yield;
    }
    return [];
  }

  private urnViolations(aspect: AspectSpec, value: Record<string, unknown>): Violation[] {
    const wrong: Violation[] = [];
    for (const row of aspect.urns) {
      for (const { value: found, pointer } of valuesAt(value, row.path)) {
        const message = this.urnFault(row, found);
        if (message !== undefined && wrong.length < MAX_VIOLATIONS) wrong.push({ pointer, message });
      }
    }
    return wrong;
  }

  /** The entity and key aspect of a URN. @throws EntityKeyError */
  keyFromUrn(urn: Urn): { entity: EntitySpec; key: Record<string, unknown> } {
    return keyFromUrn(urn, this);
  }

  /** The URN of a key aspect. @throws EntityKeyError */
  urnFromKey(entity: EntitySpec, key: Record<string, unknown>): string {
    return urnFromKey(entity, key, this);
  }

  /** The schema of an aspect on its own: everything it refers to under `$defs`. */
  standaloneSchema(aspect: AspectSpec): JsonSchema {
    const $defs: Record<string, JsonSchema> = {};
    const local = (schema: JsonSchema): JsonSchema =>
      mapRefs(schema, (name) => {
        if (!(name in $defs)) {
          $defs[name] = {};
          $defs[name] = local(this.definitions.get(name) ?? {});
        }
        return `#/$defs/${name}`;
      });
    const schema = local(aspect.schema);
    return Object.keys($defs).length > 0 ? { ...schema, $defs } : schema;
  }

  private urnFault(row: UrnFieldSpec, value: unknown): string | undefined {
    const urn = tryParseUrn(value);
    if (!urn) return 'must be a URN';
    if (!row.targets.includes(urn.type)) {
      return `must be the URN of ${withArticle(row.targets.join(' or '))}, not of ${withArticle(urn.type)}`;
    }
    if (!row.strict) return undefined;
    try {
      this.keyFromUrn(urn);
      return undefined;
    } catch (error) {
      if (error instanceof EntityKeyError) return error.message;
      throw error;
    }
  }

  /** What keeps the schemas of a file from being compiled. */
  schemaProblems({ file, content }: ModelDocument): ModelProblem[] {
    if (!isRecord(content) || 'entity' in content) return [];
    const aspect = this.aspects.get(String(content['aspect']));
    const records = aspect
      ? [{ name: aspect.record, at: [] as string[] }]
      : Object.keys(content).map((name) => ({ name, at: [name] }));
    return records.flatMap(({ name, at }) => {
      const refused = this.validators.refuse(name);
      if (!refused) return [];
      const path = [...at, ...refused.pointer.split('/').slice(1)];
      return [{ file, place: placeOf(file, path), reason: refused.reason }];
    });
  }
}

function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Snapshots are named after the key's record: `metadata.key.CorpUserKey` gives `CorpUserSnapshot`. */
function snapshotRecord(entity: EntitySpec): string {
  return `metadata.snapshot.${lastSegment(entity.key.record).replace(/Key$/, '')}Snapshot`;
}
