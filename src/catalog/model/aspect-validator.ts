import { Ajv, type Options, type ValidateFunction } from 'ajv';
import * as formats from 'ajv-formats';
import type { Steps } from '../schedule/index.js';
import { tryParseUrn } from '../urn/urn.js';
import { addBoundedErrors, withBoundedErrors } from './bounded-errors.js';
import { fitsInSteps } from './fits-in-steps.js';
import { isRecord, mapSchema, visitSchema, type JsonSchema } from './json-schema.js';
import type { AspectSpec, Violation } from './specs.js';
import { violationsOf } from './violations.js';

/** Whether a field that the schema does not name is refused, or stored untouched. */
export type UnknownFields = 'refuse' | 'keep';

/** Keys that would reach into the prototype of the objects they are copied to. */
const UNSAFE_KEYS = ['__proto__', 'constructor'];

/** Of a schema for the fast check: what it says of the members of a union by pattern. */
const MEMBERS = 'x-members';
/** Spellings of the members of one union that are known once they were looked for. */
const MOST_SPELLINGS = 100;

/** What a schema says of a list or an object as a whole. */
const ACROSS = [
  ...['minItems', 'maxItems', 'uniqueItems', 'contains', 'minContains', 'maxContains', 'prefixItems'],
  ...['additionalItems', 'unevaluatedItems', 'unevaluatedProperties', 'dependencies', 'dependentRequired'],
  ...['dependentSchemas', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'const', '$dynamicRef', '$recursiveRef'],
];
/** The same; a union has exactly one member, and is never divided. */
const ACROSS_OBJECT = ['minProperties', 'maxProperties'];

/** What a schema may say beyond JSON Schema; anything else is taken for a slip of the pen. */
const MARKS = [
  'x-union',
  'x-default',
  'x-patch-default',
  'x-timeseries-field',
  'x-timeseries-collection',
  'x-graphql',
  'x-enum-descriptions',
  'example',
];

/** ajv-formats is CommonJS: under ES modules its function is the default of the default. */
const addFormats = formats.default as unknown as (ajv: Ajv) => Ajv;

/**
 * Compiles the schemas of the model on first use and checks values against them. A service uses few of the
 * aspects in its life, and compiling all of them takes longer than everything else at start.
 */
export class AspectValidators {
  private readonly fast: Ajv;
  private readonly memberwise = new Map<string, boolean>();
  private thorough: Ajv | undefined;
  private checking: Ajv | undefined;

  constructor(
    private readonly definitions: ReadonlyMap<string, JsonSchema>,
    private readonly unknownFields: UnknownFields,
  ) {
    this.fast = createAjv({ messages: false });
    this.fast.addKeyword({
      keyword: MEMBERS,
      compile: (members: Record<string, JsonSchema>, union: JsonSchema) => this.memberCheck(members, union),
    });
  }

  /** Checks a value and fills in defaults in place; the violations found, at most `limit`. */
  check(aspect: AspectSpec, value: unknown, limit: number): Violation[] {
    if (this.compiled(this.fast, aspect.record)(value)) {
      return this.unknownFields === 'keep' ? unsafeParts(value, limit) : [];
    }
    // Only a refused value pays for the full list of reasons.
    this.thorough ??= thoroughAjv();
    const validate = this.compiled(this.thorough, aspect.record);
    validate(value);
    return violationsOf(validate.errors ?? [], limit);
  }

  /** {@link check} of a large value, in steps. Reasons to refuse it are looked for in one go. */
  *checkInSteps(aspect: AspectSpec, value: Record<string, unknown>, limit: number): Steps<Violation[]> {
    const validate = this.compiled(this.fast, aspect.record);
    const fits = this.isMemberwise(aspect.record) && (yield* fitsInSteps(value, (part) => validate(part)));
    yield;
    if (!fits) return this.check(aspect, value, limit);
    return this.unknownFields === 'keep' ? unsafeParts(value, limit) : [];
  }

  /** Whether a record judges each member of a list or a map by itself. */
  private isMemberwise(record: string): boolean {
    let known = this.memberwise.get(record);
    if (known === undefined) {
      known = true;
      const seen = new Set<string>();
      const look = (name: string): void => {
        if (seen.has(name)) return;
        seen.add(name);
        visitSchema(this.definitions.get(name) ?? {}, '', (schema) => {
          const union = schema['x-union'] !== undefined;
          if (ACROSS.some((keyword) => keyword in schema)) known = false;
          if (!union && ACROSS_OBJECT.some((keyword) => keyword in schema)) known = false;
          if (typeof schema.$ref === 'string') look(schema.$ref);
        });
      };
      look(record);
      this.memberwise.set(record, known);
    }
    return known;
  }

  /**
   * Why a schema cannot be compiled, as a JSON pointer into it and a reason; undefined when it can. Unlike `check`
   * this looks at the schema itself, unknown keywords included.
   */
  refuse(record: string): { pointer: string; reason: string } | undefined {
    const ajv = (this.checking ??= createAjv({ meta: true }));
    const schema = this.prepared(record);
    if (!ajv.validateSchema(schema)) {
      const error = ajv.errors?.[0];
      return {
        pointer: error?.instancePath ?? '',
        reason: `not a JSON Schema: ${error?.message ?? 'refused'}`,
      };
    }
    try {
      this.compiled(ajv, record);
      return undefined;
    } catch (error) {
      return { pointer: '', reason: error instanceof Error ? error.message : String(error) };
    }
  }

  private compiled(ajv: Ajv, record: string): ValidateFunction {
    const known = ajv.getSchema(record);
    if (known) return known;
    this.register(ajv, record);
    return ajv.getSchema(record) ?? ajv.compile(this.fitting(ajv, this.prepared(record)));
  }

  /** A schema as one of the validators knows it. */
  private fitting(ajv: Ajv, schema: JsonSchema): JsonSchema {
    if (ajv === this.fast) return mapSchema(schema, withMembers);
    return ajv === this.thorough ? mapSchema(schema, withBoundedErrors) : schema;
  }

  /** Adds a definition and everything it reaches; ajv compiles what it needs of it. */
  private register(ajv: Ajv, record: string): void {
    if (ajv.schemas[record]) return;
    const schema = this.prepared(record);
    ajv.addSchema(this.fitting(ajv, schema), record);
    mapSchema(schema, (s) => {
      if (typeof s.$ref === 'string') this.register(ajv, s.$ref);
      return s;
    });
  }

  /** Checks the members of a union: which one a key means is found out once, by some ten patterns. */
  private memberCheck(members: Record<string, JsonSchema>, union: JsonSchema): (value: object) => boolean {
    const patterns = Object.entries(members).map(
      ([pattern, { $ref }]) => [new RegExp(pattern, 'u'), $ref as string] as const,
    );
    const meant = new Map<string, ValidateFunction[]>();
    const checksOf = (key: string): ValidateFunction[] => {
      let checks = meant.get(key);
      if (checks === undefined) {
        const found = patterns.filter(([pattern]) => pattern.test(key));
        checks = found.map(([, record]) => this.compiled(this.fast, record));
        if (meant.size < MOST_SPELLINGS) meant.set(key, checks);
      }
      return checks;
    };
    return (value) =>
      Object.entries(value).every(([key, inner]) => {
        const checks = checksOf(key);
        return checks.length === 0
          ? Object.hasOwn(union.properties ?? {}, key)
          : checks.every((check) => check(inner));
      });
  }

  private prepared(record: string): JsonSchema {
    const schema = this.definitions.get(record);
    if (!schema) throw new Error(`no definition ${record}`);
    return mapSchema(schema, (s) => this.harden(s));
  }

  private harden(schema: JsonSchema): JsonSchema {
    if (isRecord(schema.additionalProperties)) {
      return { propertyNames: { not: { enum: UNSAFE_KEYS } }, ...schema };
    }
    if (this.unknownFields === 'keep' && schema.additionalProperties === false && !schema['x-union']) {
      const { additionalProperties: _, ...open } = schema;
      return open;
    }
    return schema;
  }
}

/** A union as the fast check knows it: the patterns of its members are no patterns of the schema. */
function withMembers(schema: JsonSchema): JsonSchema {
  if (!schema['x-union'] || !schema.patternProperties) return schema;
  const { patternProperties, additionalProperties: _, ...union } = schema;
  return { ...union, [MEMBERS]: patternProperties };
}

function thoroughAjv(): Ajv {
  const ajv = createAjv({ allErrors: true, verbose: true });
  addBoundedErrors(ajv);
  return ajv;
}

function createAjv(options: Options): Ajv {
  const ajv = new Ajv({
    useDefaults: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    validateSchema: false,
    meta: false,
    logger: false,
    ...options,
  });
  addFormats(ajv);
  ajv.addVocabulary(MARKS);
  ajv.addFormat('urn', { type: 'string', validate: (text: string) => tryParseUrn(text) !== undefined });
  ajv.addFormat('bytes', true);
  ajv.addFormat('int32', { type: 'number', validate: (n: number) => (n | 0) === n });
  ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
  ajv.addFormat('float', { type: 'number', validate: Number.isFinite });
  ajv.addFormat('double', { type: 'number', validate: Number.isFinite });
  return ajv;
}

/** What must not be stored even where unknown fields are kept: unsafe keys, and numbers that lose digits. */
function unsafeParts(value: unknown, limit: number): Violation[] {
  const found: Violation[] = [];
  const walk = (part: unknown, pointer: string): void => {
    if (found.length >= limit) return;
    if (typeof part === 'number') {
      if (!Number.isFinite(part) || (Number.isInteger(part) && !Number.isSafeInteger(part))) {
        found.push({ pointer, message: 'this number would not survive a round trip' });
      }
    } else if (Array.isArray(part)) part.forEach((item, index) => walk(item, `${pointer}/${index}`));
    else if (isRecord(part)) {
      for (const key of Object.keys(part)) {
        const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        if (UNSAFE_KEYS.includes(key)) found.push({ pointer: at, message: 'this field name is not allowed' });
        else walk(part[key], at);
      }
    }
  };
  walk(value, '');
  return found;
}
