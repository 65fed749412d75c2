import { compatibilityWith } from '../catalog/compatibility/index.js';
import type { CatalogSettings } from '../catalog/settings.js';
import { ConfigurationError } from './configuration-error.js';
import { isLoopback } from './loopback.js';
import type { Variable } from './variable.js';
import { VARIABLES } from './variables.js';

export { ConfigurationError } from './configuration-error.js';

type Values = {
  readonly [K in keyof typeof VARIABLES]: (typeof VARIABLES)[K] extends Variable<infer T> ? T : never;
};

/** The environment, read once and checked. `host` is always set here. */
export type Configuration = Omit<Values, 'host'> & { readonly host: string };

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws ConfigurationError naming every variable that is wrong, its value, and what is allowed. */
export function readConfiguration(environment: Environment = process.env): Configuration {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  const { compatibility } = VARIABLES;
  const rules = compatibilityWith(
    compatibility.read(given(environment, compatibility.name))?.value ?? 'specification',
  );
  for (const [key, variable] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const text =
      given(environment, variable.name) ??
      (variable.rule === undefined ? undefined : `${rules[variable.rule]}`);
    const result = variable.read(text);
    if (result) values[key] = result.value;
    else
      faults.push(`${variable.name}=${shown(variable, text)} is not allowed, allowed is ${variable.allowed}`);
  }
  const { host, auth } = values as Partial<Values>;
  if (auth === 'off' && host !== undefined && !isLoopback(host)) {
    faults.push(
      `HOST=${host} is not allowed with CATALOG_AUTH=off, which serves the loopback interface only`,
    );
  }
  const { oidcIssuers, oidcAudience, oidcClientId } = values as Partial<Values>;
  if (oidcIssuers?.length === 0 && oidcClientId !== undefined)
    faults.push('CATALOG_OIDC_CLIENT_ID needs CATALOG_OIDC_ISSUER: where people sign in');
  if (oidcIssuers !== undefined && oidcIssuers.length > 0 && oidcAudience?.length === 0) {
    // What an issuer made for another service is not for this one.
    faults.push(
      'CATALOG_OIDC_ISSUER needs CATALOG_OIDC_AUDIENCE: what tokens for this service name in "aud"',
    );
  }
  const { role, databaseUrl, searchUrl } = values as Partial<Values>;
  if (role !== undefined && role !== 'all') {
    // What lies in the data folder belongs to one process, which then does everything.
    for (const [url, name] of [
      [databaseUrl, 'CATALOG_DATABASE_URL'],
      [searchUrl, 'CATALOG_SEARCH_URL'],
    ] as const) {
      if (url === undefined) faults.push(`CATALOG_ROLE=${role} needs ${name}: several processes share it`);
    }
  }
  if (faults.length > 0) throw new ConfigurationError(faults);
  values['host'] = host ?? (auth === 'off' ? '127.0.0.1' : '0.0.0.0');
  return Object.freeze(values) as unknown as Configuration;
}

/** Characters of an administrator token where others than this machine may try to guess it. */
const LEAST_TOKEN = 16;

/** @throws ConfigurationError when the service may not listen with these settings, which the command line may use. */
export function checkListening({ adminToken, auth, host }: Configuration): void {
  if (auth === 'off' || adminToken === undefined || adminToken.length >= LEAST_TOKEN || isLoopback(host))
    return;
  throw new ConfigurationError([
    `CATALOG_ADMIN_TOKEN=(hidden) is not allowed with HOST=${host}, which other machines can reach: it needs ${LEAST_TOKEN} characters or more`,
  ]);
}

/** Read by the command line only: where the service is, and the token it is called with. */
export const CLIENT_VARIABLES = ['CATALOG_URL', 'CATALOG_TOKEN'] as const;

/** Names that look like variables of this service and are none: most likely misspelt. */
export function unknownVariables(environment: Environment = process.env): string[] {
  const known = new Set<string>([...Object.values(VARIABLES).map(({ name }) => name), ...CLIENT_VARIABLES]);
  return Object.keys(environment).filter((name) => name.startsWith('CATALOG_') && !known.has(name));
}

/** What modules see as it is configured. */
const AS_CONFIGURED = [
  'vendor',
  'recordNamespace',
  'unknownFields',
  'references',
  'auth',
  'role',
  'home',
  'bodyLimit',
  'searchCatchUpMs',
  'searchTimeoutMs',
  'changeLogDays',
  'feedReaders',
  'feedWaitMs',
  'feedStreamSeconds',
  'feedHoldDays',
  'auditDays',
  'historyVersions',
  'historyDays',
  'timeseriesDays',
  'webClient',
] as const satisfies ReadonlyArray<keyof Configuration & keyof CatalogSettings>;
type AsConfigured = Pick<Configuration, (typeof AS_CONFIGURED)[number]>;

/** The part of the configuration that modules may see. */
export function settingsOf(configuration: Configuration, version: string): CatalogSettings {
  const { audit, oidcClientId, oidcIssuers, oidcScope } = configuration;
  const [issuer] = oidcIssuers;
  return Object.freeze({
    version,
    ...(Object.fromEntries(AS_CONFIGURED.map((name) => [name, configuration[name]])) as AsConfigured),
    compatibility: compatibilityWith(configuration.compatibility),
    signIn:
      issuer === undefined || oidcClientId === undefined
        ? undefined
        : { issuer, clientId: oidcClientId, scope: oidcScope },
    webhookInternal: configuration.webhookInternal === 'on',
    audit: audit === 'on',
    auditReads: audit === 'on' && configuration.auditReads === 'on',
    web: configuration.web === 'on',
    searchEngine: configuration.searchUrl === undefined ? 'embedded' : 'server',
  });
}

function given(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim();
  return text === '' ? undefined : text;
}

function shown(variable: Variable<unknown>, text: string | undefined): string {
  if (!variable.secret) return JSON.stringify(text ?? '');
  // What is wrong with an address is often its scheme.
  return `${/^[a-z][a-z\d+.-]*:\/\//i.exec(text ?? '')?.[0] ?? ''}(hidden)`;
}
