import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { AuditStamp } from '../../catalog/change/index.js';
import { EditService, merged, refuseBlank, refuseEmpty, type AspectEdit } from '../ingest/index.js';
import { madeBy } from '../ownership/index.js';
import { MAX_PAGE, RelationshipsService } from '../relationships/index.js';

const PRODUCT = 'dataProduct';
const PROPERTIES = 'dataProductProperties';

interface Asset extends Record<string, unknown> {
  readonly destinationUrn: string;
}

/** What a data product is called, and what it offers. */
interface ProductTexts {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/** Makes, describes and deletes data products, and says what belongs to them. */
@Injectable()
export class DataProductsService {
  constructor(
    private readonly edits: EditService,
    private readonly relationships: RelationshipsService,
  ) {}

  /**
   * @param product `id` is a UUID when absent.
   * @returns the URN
   * @throws CatalogError ENTITY_EXISTS; ENTITY_NOT_FOUND for the domain; PARAMETER_INVALID, URN_MALFORMED
   */
  async create(
    principal: Principal,
    product: { id?: string | undefined; name: string; description?: string | undefined; domain: string },
  ): Promise<string> {
    const { name, description, domain } = product;
    refuseBlank(name, 'a name', '/name');
    const id = product.id ?? randomUUID();
    refuseBlank(id, 'an id', '/id');
    const made = { urn: `urn:li:${PRODUCT}:${id}`, at: '/id', entity: 'any' } as const;
    const mentions = [{ urn: domain, at: '/domainUrn', types: ['domain'] }];
    await this.edits.submit(principal, [
      {
        ...made,
        aspect: PROPERTIES,
        what: 'name',
        entity: 'new',
        mentions,
        apply: () => ({ name, ...(description !== undefined && { description }) }),
      },
      { ...made, aspect: 'domains', what: 'domain', mentions, apply: () => ({ domains: [domain] }) },
      { ...made, aspect: 'ownership', what: 'owners', apply: (_, { stamp }) => madeBy(stamp) },
    ]);
    return made.urn;
  }

  /** What is left out stays as it is. @throws CatalogError ENTITY_NOT_FOUND, PARAMETER_INVALID */
  async describe(principal: Principal, urn: string, said: ProductTexts): Promise<void> {
    if (said.name !== undefined) refuseBlank(said.name, 'a name', '/name');
    const edit = this.edit(urn, '/urn', (current) => merged(current, said));
    await this.edits.submit(principal, [edit]);
  }

  /** Permanently deletes a data product; what belongs to it stays. @throws CatalogError ENTITY_NOT_FOUND */
  async delete(principal: Principal, urn: string): Promise<void> {
    this.edits.checkMentions([{ urn, at: '/urn', types: [PRODUCT] }]);
    await this.edits.delete(principal, { urn, at: '/urn' }, []);
  }

  /**
   * Puts entities into a data product instead of those they were in; all or none.
   * @param product undefined takes them out of all
   * @throws CatalogError ENTITY_NOT_FOUND for the product or an entity, PARAMETER_INVALID
   */
  async assign(
    principal: Principal,
    product: string | undefined,
    resources: readonly string[],
  ): Promise<void> {
    refuseEmpty(resources, '/resourceUrns');
    const wanted = new Set(resources);
    const mentions = resources.map((urn, i) => {
      const at = `/resourceUrns/${i}`;
      return { urn, at, types: [this.edits.entity(urn, at).entity.name] };
    });
    if (product !== undefined)
      this.edits.checkMentions([{ urn: product, at: '/dataProductUrn', types: [PRODUCT] }]);
    const others = await this.productsOf(principal, resources);
    if (product !== undefined) others.delete(product);
    const taken = [...others].map((urn) =>
      this.edit(urn, '/resourceUrns', (current) => {
        const assets = assetsOf(current);
        const rest = assets.filter(({ destinationUrn }) => !wanted.has(destinationUrn));
        return rest.length === assets.length ? undefined : { ...current, assets: rest };
      }),
    );
    const put =
      product === undefined
        ? []
        : [
            this.edit(product, '/dataProductUrn', (current, { stamp }) => {
              const assets = assetsOf(current);
              const known = new Set(assets.map(({ destinationUrn }) => destinationUrn));
              const added = [...wanted].filter((urn) => !known.has(urn)).map((urn) => assetOf(urn, stamp));
              return added.length === 0 ? undefined : { ...current, assets: [...assets, ...added] };
            }),
          ];
    await this.edits.submit(
      principal,
      [...taken, ...put].map((edit) => ({ ...edit, mentions })),
    );
  }

  /** The data products that entities are in. */
  private async productsOf(principal: Principal, resources: readonly string[]): Promise<Set<string>> {
    const pages = await this.relationships.pages(principal, {
      urns: resources,
      direction: 'INCOMING',
      types: ['DataProductContains'],
      includeSoftDeleted: true,
      start: 0,
      count: MAX_PAGE,
    });
    return new Set([...pages.values()].flatMap((page) => page.relationships.map(({ entity }) => entity)));
  }

  private edit(urn: string, at: string, apply: AspectEdit['apply']): AspectEdit {
    this.edits.checkMentions([{ urn, at, types: [PRODUCT] }]);
    return { urn, at, aspect: PROPERTIES, what: 'properties', apply };
  }
}

const assetsOf = (value: Record<string, unknown> | undefined): Asset[] =>
  (value?.['assets'] ?? []) as Asset[];

const assetOf = (destinationUrn: string, stamp: AuditStamp): Asset => ({
  destinationUrn,
  created: stamp,
  lastModified: stamp,
});
