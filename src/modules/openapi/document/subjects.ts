import type { AspectSpec, EntitySpec } from '../../../catalog/model/index.js';
import {
  arrayOf,
  closed,
  nullable,
  SCROLL_ID,
  type DocumentSchemas,
  type RouteAnswer,
  type RouteBody,
} from '../../../catalog/route/index.js';
import { TOTAL, wantedAspect } from '../request/any-kind.js';
import { PATCH_TYPES, type Subject } from '../request/entity-route.js';
import type { Examples } from '../examples/examples.js';
import { capital, type ModelSchemas } from './model-schemas.js';
import type { Schema } from './openapi-types.js';

/** The entities of one kind, or one aspect of them, in one version of the surface. */
export class OfKind implements Subject {
  readonly schemas: DocumentSchemas;
  readonly kind?: AspectSpec['kind'];

  /** @param one the aspect, where the description is about one */
  constructor(
    private readonly model: ModelSchemas,
    private readonly examples: Examples,
    private readonly version: 'v2' | 'v3',
    private readonly of: EntitySpec,
    private readonly one?: AspectSpec,
  ) {
    this.schemas = model.within(of);
    if (one) this.kind = one.kind;
  }

  schema(): Schema {
    return this.model.entity(this.of, this.version);
  }

  page(): RouteAnswer {
    const list = this.version === 'v3' ? 'entities' : 'results';
    const scrollId: Schema =
      this.version === 'v3'
        ? SCROLL_ID
        : { type: 'string', description: 'The cursor of the next page; absent on the last page.' };
    return {
      description: 'One page.',
      schema: {
        type: 'object',
        required: [...(this.version === 'v3' ? ['scrollId'] : []), list, 'facets', 'totalCount'],
        additionalProperties: false,
        properties: {
          scrollId,
          [list]: arrayOf(this.schema()),
          facets: this.model.common('Facets'),
          totalCount: TOTAL,
        },
      },
      example: {
        ...(this.version === 'v3' && { scrollId: null }),
        [list]: [this.example()],
        facets: [],
        totalCount: 1,
      },
    };
  }

  entity(): RouteAnswer {
    return {
      description: 'The entity.',
      shared: `${capital(this.of.name)}Answer`,
      tagged: true,
      schema: this.schema(),
      example: this.example(),
    };
  }

  entities(description: string): RouteAnswer {
    return {
      description,
      shared: `${capital(this.of.name)}ListAnswer`,
      schema: arrayOf(this.schema()),
      example: [this.example()],
    };
  }

  aspect(read: boolean): RouteAnswer {
    const { of: entity, model, version } = this;
    const aspect = this.one!;
    const value = this.examples.value(entity, aspect);
    if (version === 'v2' && read)
      return {
        description: `The ${aspect.name}.`,
        tagged: aspect.kind === 'versioned',
        schema: model.read(aspect),
        example: { value },
      };
    const member = aspect.secret ? {} : { [aspect.name]: model.read(aspect) };
    const shown = aspect.secret ? {} : { [aspect.name]: { value } };
    const name = `${capital(entity.name)}${version === 'v2' ? 'V2' : ''}With${capital(aspect.name)}`;
    return {
      description: `The current ${aspect.name}.`,
      shared: `${name}Answer`,
      tagged: aspect.kind === 'versioned',
      schema: model.component(name, () => ({
        type: 'object',
        required: version === 'v3' ? ['urn'] : ['urn', 'aspects'],
        additionalProperties: false,
        properties: {
          urn: model.urn(entity),
          ...(version === 'v3' ? member : { aspects: closed(member) }),
        },
      })),
      example: this.shape(shown),
    };
  }

  items(of: 'write' | 'patch' | 'wanted' | 'named'): RouteBody {
    const { of: entity, model, examples } = this;
    const urn = examples.urn(entity);
    const aspects = [...entity.aspects.values()];
    const item = (name: string, members: Record<string, Schema>, more: Schema = {}) =>
      arrayOf(
        model.component(`${capital(entity.name)}${name}`, () => ({
          type: 'object',
          required: ['urn'],
          ...more,
          additionalProperties: false,
          properties: { urn: model.urn(entity), ...members },
        })),
      );
    if (of === 'write')
      return { schema: arrayOf(model.item(entity, this.version)), example: [this.example()] };
    if (of === 'wanted') {
      const members = aspects.map(({ name }) => [name, nullable(wantedAspect(model))] as const);
      return {
        schema: item('WantedItem', Object.fromEntries(members)),
        example: [{ urn, [entity.key.name]: {} }],
      };
    }
    if (of === 'named') {
      const names = arrayOf(this.schemas.aspectName());
      return {
        schema: closed(
          {
            urns: arrayOf(model.urn(entity)),
            aspectNames: { ...names, type: ['array', 'null'] },
            withSystemMetadata: { type: ['boolean', 'null'], default: false },
          },
          ['urns'],
        ),
        example: { urns: [urn], aspectNames: [entity.key.name] },
      };
    }
    const versioned = aspects.filter(({ kind }) => kind === 'versioned');
    const patched = examples.shown(entity).at(-1)!;
    const members = versioned.map(({ name }) => [name, model.common('AspectPatch')] as const);
    return {
      types: PATCH_TYPES,
      schema: item('PatchItem', Object.fromEntries(members), { minProperties: 2 }),
      example: [{ urn, [patched.name]: { value: examples.patch(entity, patched) } }],
    };
  }

  written(): RouteBody {
    const value = this.examples.value(this.of, this.one!);
    return this.version === 'v3'
      ? { schema: this.model.written(this.one!), example: { value } }
      : { schema: this.model.value(this.one!), example: value };
  }

  patch(): RouteBody {
    return {
      types: PATCH_TYPES,
      schema: this.model.common('Patch'),
      example: this.examples.patch(this.of, this.one!),
    };
  }

  /** An entity as an answer shows it, with its key and one aspect that people know. */
  private example(): unknown {
    const { examples, of } = this;
    return this.shape(
      Object.fromEntries(examples.shown(of).map((a) => [a.name, { value: examples.value(of, a) }])),
    );
  }

  private shape(aspects: object): unknown {
    const urn = this.examples.urn(this.of);
    return this.version === 'v3' ? { urn, ...aspects } : { urn, aspects };
  }
}
