import {
  integer,
  issuers,
  optional,
  origins,
  path,
  pattern,
  rolePairs,
  word,
  words,
  type Variable,
} from '../variable.js';

/** Who comes in: pages for browsers, roles of processes, tokens, passwords, identity providers. */
export const ACCESS = {
  web: word('CATALOG_WEB', 'whether the web application is served, and the first page leads to it', [
    'on',
    'off',
  ]),
  webClient: path(
    'CATALOG_WEB_CLIENT',
    'folder with an unmodified build of the web client of the field, which is served at / and below; see guides/web-client.md',
    'none',
  ),
  corsOrigins: origins(
    'CATALOG_CORS_ORIGINS',
    'origins of pages that browsers let call the service, with a token; cookies of sessions are for pages of its own',
  ),
  role: word(
    'CATALOG_ROLE',
    'what this process does: serve requests (api), process the change log (worker), or both',
    ['all', 'api', 'worker'],
  ),
  auth: word(
    'CATALOG_AUTH',
    'whether callers need a token; off makes every caller an administrator, on loopback only',
    ['on', 'off'],
  ),
  adminToken: {
    ...optional(
      'CATALOG_ADMIN_TOKEN',
      'an administrator token of your own, instead of the one that is made at the first start',
      '1 to 512 characters out of A-Z a-z 0-9 - . _ ~ + / =; 16 or more unless HOST is a loopback address',
      'a token is made and kept in <CATALOG_HOME>/admin-token',
      (text) => /^[A-Za-z0-9\-._~+/]{1,512}=*$/.test(text) && text.length <= 512,
    ),
    secret: true,
  },
  secretKey: {
    ...optional(
      'CATALOG_SECRET_KEY',
      'what secrets and the details of connections are encrypted with; the same in every process',
      '32 to 512 characters',
      'a key is made and kept in the database',
      (text) => text.length >= 32 && text.length <= 512,
    ),
    secret: true,
  },
  tokensPerUser: integer(
    'CATALOG_TOKENS_PER_USER',
    'valid access tokens that a user may have; the command line makes more in any case',
    200,
    1,
    100_000,
  ),
  sessionHours: integer(
    'CATALOG_SESSION_HOURS',
    'hours after which people who signed in on a page have to sign in again',
    24,
    1,
    8_760,
  ),
  oidcIssuers: issuers(
    'CATALOG_OIDC_ISSUER',
    'identity providers whose JSON Web Tokens are taken beside the tokens of the service, as the claim "iss" names them',
  ),
  oidcAudience: words(
    'CATALOG_OIDC_AUDIENCE',
    'what the claim "aud" of such a token must name one of; needed with CATALOG_OIDC_ISSUER',
    'a word without blanks',
    () => true,
  ),
  oidcUserClaim: pattern(
    'CATALOG_OIDC_USER_CLAIM',
    'claim with the name of the user; "sub" where a token lacks it',
    'preferred_username',
    'the name of a claim, or a path with dots',
    /^\S{1,256}$/,
  ),
  oidcGroupsClaims: words(
    'CATALOG_OIDC_GROUPS_CLAIM',
    'claims with the groups or roles that CATALOG_OIDC_ROLES names',
    'the name of a claim, or a path such as realm_access.roles',
    () => true,
    'groups',
  ),
  oidcRoles: rolePairs(
    'CATALOG_OIDC_ROLES',
    'role that each group gives its members; of several, the one that allows most counts',
  ),
  oidcDefaultRole: word(
    'CATALOG_OIDC_DEFAULT_ROLE',
    'role of users without such a group; none refuses them',
    ['none', 'reader'],
  ),
  oidcProvision: word(
    'CATALOG_OIDC_PROVISION',
    'whether users who come with such a token are written to the catalog, with all groups of the claims as theirs',
    ['off', 'on'],
  ),
  oidcClientId: optional(
    'CATALOG_OIDC_CLIENT_ID',
    'id of a public client of the first issuer, with which Swagger UI and the GraphQL playground sign people in',
    'a word without blanks',
    'people paste tokens',
    (text) => /^\S{1,512}$/.test(text),
  ),
  oidcScope: {
    name: 'CATALOG_OIDC_SCOPE',
    meaning: 'what these pages ask the issuer for',
    allowed: 'scopes between blanks',
    fallback: 'openid profile',
    read: (text) => ({ value: text ?? 'openid profile' }),
  } satisfies Variable<string> as Variable<string>,
} as const;
