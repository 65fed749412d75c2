import { createHashHistory, createRootRoute, createRoute, createRouter, Link } from '@tanstack/react-router';
import { Shell } from './shell.js';
import { readSearch, SearchPage } from './search.js';
import { EntityPage, readEntity } from './entity/page.js';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <p>
      There is no such page. <Link to="/">Search</Link>
    </p>
  ),
});

const search = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: readSearch,
  component: SearchPage,
});

const entity = createRoute({
  getParentRoute: () => root,
  path: '/entity',
  validateSearch: readEntity,
  component: EntityPage,
});

/** Places are in the fragment: the service has one page to serve, below whatever path a proxy gives it. */
export const router = createRouter({
  routeTree: root.addChildren([search, entity]),
  history: createHashHistory(),
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
