import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { sameJson } from '../../catalog/json/same-json.js';
import { withArticle } from '../../catalog/with-article.js';
import { EditService, refuseBlank, type AspectEdit } from '../ingest/index.js';
import { madeBy, OwnerRules, type OwnerRequest } from '../ownership/index.js';

interface TagUpdate {
  readonly name: string;
  /** Stays as it is when absent. */
  readonly description?: string | undefined;
  /** Replaces the owners when there is a list. */
  readonly owners?: readonly OwnerRequest[] | undefined;
}

/** Makes, changes and deletes tags. Where they are put is the business of `TagAssociationsResolver`. */
@Injectable()
export class TagsService {
  constructor(
    private readonly edits: EditService,
    private readonly ownerRules: OwnerRules,
  ) {}

  /**
   * @param tag `id` is a UUID when absent.
   * @returns the URN.
   * @throws CatalogError ENTITY_EXISTS, PARAMETER_INVALID, URN_MALFORMED
   */
  async create(
    principal: Principal,
    tag: {
      id?: string | undefined;
      name: string;
      description?: string | undefined;
      colorHex?: string | undefined;
    },
  ): Promise<string> {
    const { name, description, colorHex } = tag;
    refuseBlank(name, 'a name', '/name');
    if (colorHex !== undefined) checkColor(colorHex, '/colorHex');
    const id = tag.id ?? randomUUID();
    refuseBlank(id, 'an id', '/id');
    const urn = `urn:li:tag:${id}`;
    const made = { urn, at: '/id', entity: 'any' } as const;
    await this.edits.submit(principal, [
      {
        ...made,
        aspect: 'tagProperties',
        what: 'name',
        apply: (_, { exists }) => {
          if (exists) throw refuse('ENTITY_EXISTS', 'This Tag already exists!', '/id');
          return {
            name,
            ...(description !== undefined && { description }),
            ...(colorHex !== undefined && { colorHex }),
          };
        },
      },
      { ...made, aspect: 'ownership', what: 'owners', apply: (_, { stamp }) => madeBy(stamp) },
    ]);
    return urn;
  }

  /** @throws CatalogError ENTITY_NOT_FOUND for the tag or an owner, PARAMETER_INVALID */
  async update(principal: Principal, urn: string, { name, description, owners }: TagUpdate): Promise<void> {
    refuseBlank(name, 'a name', '/name');
    const edits = [this.properties(urn, { name, ...(description !== undefined && { description }) })];
    if (owners !== undefined) {
      const read = this.ownerRules.read(owners);
      edits.push({
        urn,
        at: '/urn',
        aspect: 'ownership',
        what: 'owners',
        mentions: read.mentions,
        apply: (current, { stamp }) =>
          sameJson(current?.['owners'], read.owners)
            ? undefined
            : { owners: read.owners, lastModified: stamp },
      });
    }
    await this.edits.submit(principal, edits);
  }

  /** @throws CatalogError ENTITY_NOT_FOUND, PARAMETER_INVALID */
  async setColor(principal: Principal, urn: string, colorHex: string): Promise<void> {
    checkColor(colorHex, '/colorHex');
    await this.edits.submit(principal, [this.properties(urn, { colorHex })]);
  }

  /** Permanently deletes a tag; it is removed from what carries it in the background. @throws CatalogError ENTITY_NOT_FOUND */
  async delete(principal: Principal, urn: string): Promise<void> {
    const target = { urn, at: '/urn' };
    this.edits.checkMentions([{ ...target, types: ['tag'] }]);
    await this.edits.delete(principal, target, []);
  }

  private properties(urn: string, said: Record<string, unknown>): AspectEdit {
    const { entity, urn: parsed } = this.edits.entity(urn, '/urn');
    if (entity.name !== 'tag')
      throw refuse('PARAMETER_INVALID', `${urn} is ${withArticle(entity.name)}, not a tag`, '/urn');
    return {
      urn,
      at: '/urn',
      aspect: 'tagProperties',
      what: 'name',
      apply: (current) => ({ ...(current ?? { name: parsed.id }), ...said }),
    };
  }
}

function checkColor(color: string, at: string): void {
  if (!/^#[0-9a-f]{6}$/i.test(color))
    throw refuse('PARAMETER_INVALID', 'a colour is # and six hexadecimal digits', at);
}
