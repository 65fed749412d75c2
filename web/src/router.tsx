import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
} from '@tanstack/react-router';
import { sessionActor, tokenOf } from './api.js';
import { client } from './client.js';
import { readBrowse } from './browse/place.js';
import { Shell } from './shell.js';
import { readSearch, searchQuery, SearchPage } from './search.js';
import { EntityPage, entityQuery, readEntity } from './entity/page.js';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <p>
      There is no such page. <Link to="/">Search</Link>
    </p>
  ),
});

/** Asks before the page is there: when a pointer rests on a link to it. Pages say what went wrong. */
function early(prefetch: () => Promise<void>): void {
  if (tokenOf() !== null || sessionActor() !== null) void prefetch();
}

const search = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: readSearch,
  loaderDeps: ({ search: place }) => place,
  loader: ({ deps }) => early(() => client.prefetchQuery(searchQuery(deps))),
  component: SearchPage,
});

const entity = createRoute({
  getParentRoute: () => root,
  path: '/entity',
  validateSearch: readEntity,
  loaderDeps: ({ search: { urn } }) => ({ urn }),
  loader: ({ deps: { urn } }) => early(() => client.prefetchQuery(entityQuery(urn))),
  component: EntityPage,
});

/** What is chosen in a tree. */
const readChosen = ({ urn }: Record<string, unknown>): { urn?: string } =>
  typeof urn === 'string' ? { urn } : {};

const glossary = createRoute({
  getParentRoute: () => root,
  path: '/glossary',
  validateSearch: readChosen,
  component: lazyRouteComponent(() => import('./trees/page.js'), 'GlossaryPage'),
});

const domains = createRoute({
  getParentRoute: () => root,
  path: '/domains',
  validateSearch: readChosen,
  component: lazyRouteComponent(() => import('./trees/page.js'), 'DomainsPage'),
});

const browse = createRoute({
  getParentRoute: () => root,
  path: '/browse',
  validateSearch: readBrowse,
  component: lazyRouteComponent(() => import('./browse/page.js'), 'BrowsePage'),
});

const properties = createRoute({
  getParentRoute: () => root,
  path: '/properties',
  validateSearch: ({ page }: Record<string, unknown>): { page?: number } =>
    typeof page === 'number' && page > 1 ? { page: Math.floor(page) } : {},
  component: lazyRouteComponent(() => import('./properties/page.js'), 'PropertiesPage'),
});

const model = createRoute({
  getParentRoute: () => root,
  path: '/model',
  validateSearch: ({ entity, aspect }: Record<string, unknown>): { entity?: string; aspect?: string } => ({
    ...(typeof entity === 'string' && { entity }),
    ...(typeof aspect === 'string' && { aspect }),
  }),
  component: lazyRouteComponent(() => import('./model/page.js'), 'ModelPage'),
});

/** Places are in the fragment: the service has one page to serve, below whatever path a proxy gives it. */
export const router = createRouter({
  routeTree: root.addChildren([search, entity, browse, glossary, domains, properties, model]),
  history: createHashHistory(),
  scrollRestoration: true,
  // The client knows what is old.
  defaultPreloadStaleTime: 0,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
