import { Injectable } from '@nestjs/common';
import { AspectValueRepository, HeadRepository } from '../entities/index.js';
import { PROPERTY_TYPE } from './property-definition.js';
import type { PropertyHead, PropertySource } from './property-cache.js';

/** Reads properties as they are committed. */
@Injectable()
export class CommittedProperties implements PropertySource {
  constructor(
    private readonly stored: HeadRepository,
    private readonly values: AspectValueRepository,
  ) {}

  async heads(urns: readonly string[]): Promise<Map<string, PropertyHead>> {
    const heads = await this.stored.byUrn(urns);
    return new Map(
      heads.map((head) => [
        head.urn,
        {
          urn: head.urn,
          exists: Boolean(head.live),
          removed: Boolean(head.removed),
          sequence: Number(head.sequence),
          createdAt: Number(head.created_at),
          changed: false,
        },
      ]),
    );
  }

  aspectsOf(urns: readonly string[], aspect: string): Promise<Map<string, Record<string, unknown>>> {
    return this.values.ofUrns(urns, aspect);
  }

  /** The property that owns the name of a search field, dots and underscores being one. */
  ownerOf(claim: string): Promise<string | undefined> {
    return this.stored.ownerOf(claim, PROPERTY_TYPE);
  }
}
