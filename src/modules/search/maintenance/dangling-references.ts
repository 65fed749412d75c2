import { Injectable } from '@nestjs/common';
import { readJson } from '../../../catalog/json/index.js';
import {
  AspectValueRepository,
  HeadRepository,
  ReferenceRepository,
  type DanglingReference,
} from '../../entities/index.js';

/** What raw writes may name before it exists; other references may always dangle. */
const REFERENCED_TYPES = ['tag', 'glossaryTerm'];
const PROPERTIES_ASPECT = 'structuredProperties';
const PAGE = 1000;

/** Finds references to entities that do not exist. */
@Injectable()
export class DanglingReferences {
  constructor(
    private readonly references: ReferenceRepository,
    private readonly values: AspectValueRepository,
    private readonly heads: HeadRepository,
  ) {}

  /** At most `limit` of them, and how many there are. */
  async find(limit: number): Promise<{ count: number; references: DanglingReference[] }> {
    const known = await this.references.dangling(REFERENCED_TYPES, limit);
    const properties = await this.properties();
    return {
      count: known.count + properties.length,
      references: [...known.references, ...properties].slice(0, limit),
    };
  }

  /** Values of structured properties that do not exist. Older ones have no relationships, so the values are read. */
  private async properties(): Promise<DanglingReference[]> {
    const found: DanglingReference[] = [];
    const exists = new Map<string, boolean>();
    for (let after = 0; ;) {
      const page = await this.values.page(PROPERTIES_ASPECT, after, PAGE);
      const last = page.at(-1);
      if (!last) return found;
      const named = page.map(({ urn, value }) => ({ urn, targets: propertiesIn(value) }));
      await this.learn(exists, [...new Set(named.flatMap(({ targets }) => targets))]);
      for (const { urn, targets } of named) {
        for (const target of targets) {
          if (exists.get(target) === false) found.push({ entity: urn, aspect: PROPERTIES_ASPECT, target });
        }
      }
      after = last.id;
    }
  }

  private async learn(exists: Map<string, boolean>, urns: readonly string[]): Promise<void> {
    const unknown = urns.filter((urn) => !exists.has(urn));
    if (unknown.length === 0) return;
    const heads = await this.heads.byUrn(unknown);
    const live = new Set(heads.filter((head) => Number(head.live) === 1).map(({ urn }) => urn));
    for (const urn of unknown) exists.set(urn, live.has(urn));
  }
}

function propertiesIn(value: string): string[] {
  const { properties } = readJson(value) as { properties?: Array<{ propertyUrn?: unknown }> };
  return (properties ?? []).flatMap(({ propertyUrn }) =>
    typeof propertyUrn === 'string' ? [propertyUrn] : [],
  );
}
