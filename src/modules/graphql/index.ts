/**
 * The kit for resolvers of other modules. It loads the GraphQL libraries, so only resolvers import it, and a module
 * names its resolvers by `lazyResolvers(() => import('./tag.resolver.js'))` of `lazy.ts` among its providers.
 *
 * A resolver is a class with `@Resolver()`, made with what its module can inject. It takes the caller by
 * `@CurrentPrincipal()` and the objects of the request by `@Context() context: RequestContext`:
 * `context.find(urn, 'dataset')` answers the entity to show, or null; after a write call `context.refresh()` first.
 * Errors are `CatalogError`s. Their pointers lead into the parameters, `/tagUrn`; where the field takes them below
 * `input`, callers get `/input/tagUrn`.
 */
export { CurrentPrincipal } from '../auth/index.js';
export * from './entities/index.js';
export { AspectEvents, type AskedEvents } from './model-types/aspect-events.js';
export { showsAspect, showsPartOf, showsRecord, type Stored } from './model-types/record-views.js';
export { Needs } from './needs.js';
export { lastIngestedOf } from './last-ingested.js';
export { Searches } from './search-price.js';
export { RequestContext } from './request-context.js';
export * from './types/index.js';
