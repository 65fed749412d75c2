// The text of docs/roles.md, from what the routes and the GraphQL operations say that they need. Part of generate-graphql.mjs.
import { buildSchema } from 'graphql';

/**
 * @param load imports a module of the build
 * @param schema the GraphQL schema, whose resolvers have been loaded
 */
export async function rolesPage(load, schema) {
  const { grants, ROLES } = await load('catalog/auth/index.js');
  const { privilegeOf } = await load('catalog/route/index.js');
  const { ROUTES } = await load('api-routes.js');
  const { needOf } = await load('modules/graphql/needs.js');
  const { getMetrics } = await load('modules/operations/operations.routes.js');
  const { VERSION_1_ROUTES } = await load('modules/openapi/v1/entities-v1.routes.js');
  const { ACROSS_ROUTES } = await load('modules/openapi/v3/across.routes.js');
  const { ENTITY_ROUTES } = await load('modules/openapi/base-controllers/entity.routes.js');
  const { ASPECT_ROUTES } = await load('modules/openapi/base-controllers/aspect.routes.js');

  const row = (call, summary, privilege, remark) => {
    const cells = ROLES.map((role) => (grants(role, privilege) ? 'yes' : 'no'));
    const said = remark === undefined ? summary : `${summary}; ${remark}`;
    return `| \`${call}\` | ${said.replaceAll('|', '\\|')} | ${privilege} | ${cells.join(' | ')} |`;
  };
  const table = (rows) =>
    [
      `| Call | What it does | Needs | ${ROLES.join(' | ')} |`,
      `| --- | --- | --- | ${ROLES.map(() => '---').join(' | ')} |`,
      ...rows,
    ].join('\n');
  const http = (routes, prefix = () => '') =>
    routes
      .filter(({ open }) => open !== true)
      .map((one) =>
        row(
          `${one.method.toUpperCase()} ${prefix(one)}${one.path}`,
          one.summary,
          privilegeOf(one),
          one.remark,
        ),
      );
  const ofKinds = ({ versions }) => `/openapi/${versions.length > 1 ? '{v2,v3}' : versions[0]}/entity/`;
  const actions = ROUTES.actions.map(({ resource, action, summary, needs = 'read', remark }) =>
    row(`POST /${resource}?action=${action}`, summary, needs, remark),
  );
  const { aspectApi, counts, relationships, events, feed, openlineage, tracing, registry } = ROUTES;

  const graphql = buildSchema(schema);
  const operations = (type) =>
    Object.values(type.getFields()).map(({ name, description }) => {
      const { privilege, remark } = needOf(name, type.name);
      const [sentence = ''] = (description ?? '').replaceAll(/\s+/g, ' ').split(/\.(?: |$)/);
      return row(name, sentence, privilege, remark);
    });

  return `# Who may call what

A token has a role, and a role grants privileges: \`READER\` reads; \`EDITOR\` writes and deletes, too; \`ADMIN\` manages besides. This page
is made by \`npm run generate\` from what the routes and the GraphQL operations say that they need, and a test makes the calls with a
token of each role. [Security](security.md) has the rest: what needs no token, and how a token gets its role.

## Aspect API

${table([...actions, ...http(aspectApi)])}

## OpenAPI

${table([
  ...http(ENTITY_ROUTES, ofKinds),
  ...http(ASPECT_ROUTES, ofKinds),
  ...http(
    [
      ...[ACROSS_ROUTES, counts, relationships, events, feed, openlineage],
      ...[tracing, registry, VERSION_1_ROUTES, [getMetrics]],
    ].flat(),
  ),
])}

## GraphQL

\`POST /api/graphql\` takes every token; what an operation needs is checked when it runs.

### Queries

${table(operations(graphql.getQueryType()))}

### Mutations

${table(operations(graphql.getMutationType()))}
`;
}
