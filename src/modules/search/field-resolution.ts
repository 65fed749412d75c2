import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { CatalogError, refuse } from '../../catalog/errors/index.js';
import {
  NESTED_FACET,
  SearchFieldResolver,
  SearchSchema,
  type ResolvedField,
  type SearchFilter,
} from '../../catalog/search/index.js';
import { discovered } from '../entities/index.js';
import { FieldNames } from './field-names.js';
import type { NamedField } from './request-shape.js';

/** Finds the fields that a search names: those of the model, and those that other modules know by names of their own. */
@Injectable()
export class FieldResolution implements OnModuleInit {
  private resolvers: SearchFieldResolver[] = [];

  constructor(
    private readonly schema: SearchSchema,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    this.resolvers = discovered(this.discovery, SearchFieldResolver);
  }

  /** Fields that are counted because a request asks for all of their kind. */
  async offered(): Promise<string[]> {
    return (await Promise.all(this.resolvers.map((resolver) => resolver.offered()))).flat();
  }

  /** Names of the forms of `patterns` that no mark of the model gives. */
  async namedLike(patterns: readonly string[]): Promise<string[]> {
    const asked = patterns.flatMap((pattern) => this.resolvers.map((resolver) => resolver.named(pattern)));
    return (await Promise.all(asked)).flat();
  }

  /**
   * The fields of the model, after those that other modules know by the names in this request. What must not be
   * searched is refused; what is only to be fetched or counted along is left out.
   */
  async resolve(
    entities: readonly string[],
    filter: SearchFilter,
    more: readonly NamedField[],
    fetched: readonly string[],
  ): Promise<FieldNames> {
    const asked = new Map<string, string>();
    const ask = (name: string, pointer: string): unknown => asked.has(name) || asked.set(name, pointer);
    for (const { field, pointer } of filter.flat())
      for (const name of field.split(NESTED_FACET)) ask(name, `${pointer}/field`);
    for (const { name, pointer } of more) ask(name, pointer);
    const resolved = new Map<string, readonly ResolvedField[]>();
    const hidden = new Set<string>();
    for (const name of new Set([...asked.keys(), ...fetched])) {
      try {
        const fields = await this.resolveOne(name);
        if (fields) resolved.set(name, fields);
      } catch (error) {
        if (!(error instanceof CatalogError)) throw error;
        if (asked.has(name)) throw refuse(error.code, error.message, asked.get(name));
        hidden.add(name);
      }
    }
    return new FieldNames(resolved, hidden, (name) => this.schema.lookup(name, entities));
  }

  private async resolveOne(name: string): Promise<readonly ResolvedField[] | undefined> {
    for (const resolver of this.resolvers) {
      const fields = await resolver.resolve(name);
      if (fields) return fields;
    }
    return undefined;
  }
}
