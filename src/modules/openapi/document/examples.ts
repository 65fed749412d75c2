import {
  isRecord,
  valuesAt,
  type AspectSpec,
  type EntitySpec,
  type Model,
} from '../../../catalog/model/index.js';
import { DATASET, USER } from '../../../catalog/route/index.js';
import type { Schema } from './openapi-types.js';

const stamp = { time: 1_780_903_800_000, actor: USER };

/** Ids of the entities of the sample that examples are about; where a type has none here, one is made up from its name. */
const IDS: Readonly<Record<string, string>> = {
  dataset: '(urn:li:dataPlatform:snowflake,brew.marts.orders,PROD)',
  dataPlatform: 'snowflake',
  chart: '(looker,orders_per_day)',
  dashboard: '(looker,board_pack)',
  corpuser: 'ines.okafor',
  corpGroup: 'analytics',
  glossaryTerm: 'Commerce.Order',
  glossaryNode: 'Commerce',
  tag: 'PII',
  domain: 'commerce',
  container: 'sf-brew-marts',
  structuredProperty: 'tk.governance.retentionDays',
  dataType: 'platform.number',
  entityType: 'platform.dataset',
  dataFlow: '(airflow,nightly_brew,PROD)',
  dataJob: '(urn:li:dataFlow:(airflow,nightly_brew,PROD),build_orders)',
  schemaField: `(${DATASET},order_id)`,
  dataProcessInstance: 'run-1',
  dataPlatformInstance: '(urn:li:dataPlatform:postgres,depot)',
};

/** Values of the aspects that people look at first. Those of others are made up from their schemas. */
const VALUES: Readonly<Record<string, Record<string, unknown>>> = {
  status: { removed: false },
  datasetProperties: {
    name: 'orders',
    description: 'One row for each order of the shop.',
    customProperties: { team: 'sales' },
    tags: [],
  },
  editableDatasetProperties: { description: 'One row for each order, *without* cancelled ones.' },
  globalTags: { tags: [{ tag: 'urn:li:tag:PII' }] },
  glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:Commerce.Order' }], auditStamp: stamp },
  ownership: { owners: [{ owner: USER, type: 'DATAOWNER' }], lastModified: stamp },
  institutionalMemory: {
    elements: [
      {
        url: 'https://wiki.thirdkettle.example/marts/orders',
        description: 'How orders are counted',
        createStamp: stamp,
      },
    ],
  },
  glossaryTermInfo: {
    name: 'Order',
    definition: 'What a customer has bought at once.',
    termSource: 'INTERNAL',
  },
  tagProperties: { name: 'PII', description: 'Tells about a person.' },
  corpUserInfo: {
    active: true,
    displayName: 'Ines Okafor',
    fullName: 'Ines Okafor',
    email: 'ines.okafor@thirdkettle.example',
  },
  corpGroupInfo: {
    displayName: 'Analytics',
    email: 'analytics@thirdkettle.example',
    admins: [USER],
    members: [USER],
    groups: [],
  },
  upstreamLineage: {
    upstreams: [
      {
        auditStamp: stamp,
        dataset: 'urn:li:dataset:(urn:li:dataPlatform:snowflake,brew.staging.stg_orders,PROD)',
        type: 'TRANSFORMED',
      },
    ],
  },
  schemaMetadata: {
    schemaName: 'orders',
    platform: 'urn:li:dataPlatform:snowflake',
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: 'id bigint, at date' } },
    fields: [
      {
        fieldPath: 'id',
        description: 'Number of the order.',
        nativeDataType: 'bigint',
        type: { type: { 'com.linkedin.schema.NumberType': {} } },
        nullable: false,
      },
    ],
  },
  structuredProperties: {
    properties: [
      { propertyUrn: 'urn:li:structuredProperty:tk.governance.retentionDays', values: [{ double: 30 }] },
    ],
  },
  propertyDefinition: {
    qualifiedName: 'tk.governance.retentionDays',
    displayName: 'Retention time',
    description: 'How many days the data is kept.',
    valueType: 'urn:li:dataType:platform.number',
    cardinality: 'SINGLE',
    entityTypes: ['urn:li:entityType:platform.dataset'],
    allowedValues: [
      { value: { double: 30 }, description: '30 days' },
      { value: { double: 365 }, description: 'a year' },
    ],
  },
  datasetProfile: { timestampMillis: 1_780_903_800_000, rowCount: 3500, columnCount: 2 },
  datasetUsageStatistics: { timestampMillis: 1_780_903_800_000, uniqueUserCount: 7, totalSqlQueries: 42 },
};

/** Real values for the examples of a document: each is valid by the model. */
export class Examples {
  constructor(private readonly model: Model) {}

  urn(entity: EntitySpec): string {
    const known = IDS[entity.name];
    if (known !== undefined) return `urn:li:${entity.name}:${known}`;
    const fields = entity.key.keyFields ?? [];
    if (fields.length <= 1) return `urn:li:${entity.name}:example`;
    const parts = fields.map((field) => this.keyPart(entity.key, field));
    return `urn:li:${entity.name}:(${parts.join(',')})`;
  }

  /** A value of the aspect; of a key aspect the one of the example URN. */
  value(entity: EntitySpec, aspect: AspectSpec): unknown {
    if (aspect === entity.key) return this.key(entity);
    return VALUES[aspect.name] ?? this.withTargets(aspect, this.made(aspect.schema, 0));
  }

  /** URNs name what the model says they name. */
  /** A patch that adds the first member of the aspect's example. */
  patch(entity: EntitySpec, aspect: AspectSpec): unknown {
    if (aspect.name === 'structuredProperties') {
      const property = {
        propertyUrn: 'urn:li:structuredProperty:tk.governance.retentionDays',
        values: [{ double: 30 }],
      };
      return {
        patch: [{ op: 'add', path: `/properties/${property.propertyUrn}`, value: property }],
        arrayPrimaryKeys: { properties: ['propertyUrn'] },
      };
    }
    const value = this.value(entity, aspect) as Record<string, unknown>;
    const [name, member] = Object.entries(value)[0] ?? ['name', 'text'];
    return { patch: [{ op: 'add', path: `/${name}`, value: member }] };
  }

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

  private key(entity: EntitySpec): unknown {
    const urn = this.urn(entity);
    const id = urn.slice(`urn:li:${entity.name}:`.length);
    const fields = entity.key.keyFields ?? [];
    const parts = fields.length === 1 ? [id] : topLevel(id.slice(1, -1));
    return Object.fromEntries(fields.map((field, i) => [field, parts[i]]));
  }

  private keyPart(key: AspectSpec, field: string): string {
    const schema = key.schema.properties?.[field] ?? {};
    const values = schema.enum ?? (schema.$ref ? this.model.definitions.get(schema.$ref)?.enum : undefined);
    if (values) return String(values.includes('PROD') ? 'PROD' : values[0]);
    return schema.format === 'urn'
      ? 'urn:li:dataPlatform:snowflake'
      : field === 'platform'
        ? 'snowflake'
        : `example-${field}`.toLowerCase();
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
        return schema.format === 'urn' ? this.someUrn(schema) : 'text';
      case 'integer':
        return /time|millis/i.test(schema.description ?? '') ? stamp.time : 1;
      case 'number':
        return 0.5;
      case 'boolean':
        return true;
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

  private someUrn(schema: Schema): string {
    const text = schema.description ?? '';
    for (const [word, name] of URN_WORDS) {
      const entity = this.model.findEntity(name);
      if (word.test(text) && entity) return this.urn(entity);
    }
    return DATASET;
  }
}

const URN_WORDS: ReadonlyArray<[RegExp, string]> = [
  [/platform instance/i, 'dataPlatformInstance'],
  [/platform/i, 'dataPlatform'],
  [/\bwho\b|user|actor|owner/i, 'corpuser'],
  [/\btag/i, 'tag'],
  [/\bterm/i, 'glossaryTerm'],
  [/domain/i, 'domain'],
  [/container/i, 'container'],
];

/** The pieces of a tuple between its commas. */
function topLevel(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const c of text) {
    if (c === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += c;
    if (c === '(') depth++;
    if (c === ')') depth--;
  }
  return parts;
}
