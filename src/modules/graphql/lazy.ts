import type { FactoryProvider, Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { FastifyReply } from 'fastify';

/**
 * Extension point: the resolvers of a module. They, and the libraries below them, are loaded when the first GraphQL
 * request comes: a catalog without GraphQL clients does not pay for it. This file must stay free of them.
 */
export class LazyResolvers {
  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly load: () => Promise<object>,
  ) {}

  /** Every class that the file exports, made with what its module can inject. */
  async create(): Promise<object[]> {
    const exported = Object.values(await this.load());
    const classes = exported.filter((value): value is Type<object> => typeof value === 'function');
    return Promise.all(classes.map((type) => this.moduleRef.create(type)));
  }
}

/** What a module asks whose page is going to ask GraphQL. */
export abstract class GraphqlPreparation {
  /** Starts the engine once a page has been sent, unless it runs. */
  abstract prepareAfter(reply: FastifyReply): void;
}

/**
 * For `providers` of a module: `lazyResolvers(() => import('./tag.resolver.js'))`. The file exports resolver classes
 * and nothing else that is a class.
 */
export function lazyResolvers(load: () => Promise<object>): FactoryProvider<LazyResolvers> {
  return {
    provide: Symbol('LazyResolvers'),
    useFactory: (moduleRef: ModuleRef) => new LazyResolvers(moduleRef, load),
    inject: [ModuleRef],
  };
}
