import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROLES, SYSTEM_PRINCIPAL, type Role } from '../catalog/auth/index.js';
import { readConfiguration } from '../config/configuration.js';
import { auditLogOf } from '../modules/audit/index.js';
import { AccessTokenRepository, RefusedTokens, TokenService, type TokenInfo } from '../modules/auth/index.js';
import { asJson, UsageError, type Command, type Terminal } from './command.js';
import { parseDuration } from './duration.js';
import { openDatabase } from '../backing/open-database.js';

const JSON_OPTION = { json: { type: 'boolean', default: false } } as const;

/** A user who can open the database is trusted: this needs no token, and works where all of them are lost. */
export const tokens: Command = {
  usage: `Usage: npm run catalog -- tokens create --user <name or URN> [--role EDITOR] [--name <text>] [--duration 30d] [--json]
       npm run catalog -- tokens list [--json]
       npm run catalog -- tokens revoke <id> [--json]
       npm run catalog -- tokens rotate <id> [--overlap 1h] [--json]

Works on the database of CATALOG_HOME, also while the service runs.

  --user      whom the token stands for: a user name, or urn:li:corpuser:<name>
  --role      ${ROLES.join(', ')} (default EDITOR)
  --name      what the token is for (default "command line")
  --duration  90m, 12h, 30d, 2w or never (default 30d)
  --overlap   how long the former token is valid beside the new one (default 1h)
  --json      print what is made, listed or revoked as JSON; times are milliseconds since 1970

rotate makes a token of the same id, user, role, name and duration. What the former token made goes on with it, and the
file admin-token of CATALOG_HOME is written anew when it holds the former token.`,

  async run([action, ...words], terminal) {
    const perform = ACTIONS[action ?? ''];
    if (!perform)
      throw new UsageError(
        action === undefined ? 'say what to do' : `cannot ${JSON.stringify(action)} tokens`,
      );
    const job = perform(words);
    const configuration = readConfiguration();
    await mkdir(configuration.home, { recursive: true, mode: 0o700 });
    const database = await openDatabase(configuration);
    try {
      const { home } = configuration;
      const options = { auth: 'on', role: 'all', home } as const;
      const audit = auditLogOf(database, configuration.audit === 'on');
      await job(
        new TokenService(new AccessTokenRepository(database, audit), options, new RefusedTokens(audit)),
        terminal,
        home,
      );
      await audit.close();
      return 0;
    } finally {
      await database.close();
    }
  },
};

/** Each reads its words first, so that a misspelt option is found before anything is opened. */
const ACTIONS: Readonly<
  Record<
    string,
    (words: readonly string[]) => (service: TokenService, terminal: Terminal, home: string) => Promise<void>
  >
> = {
  create(words) {
    const { values } = parseArgs({
      args: [...words],
      options: {
        user: { type: 'string' },
        role: { type: 'string', default: 'EDITOR' },
        name: { type: 'string', default: 'command line' },
        duration: { type: 'string', default: '30d' },
        ...JSON_OPTION,
      },
    });
    if (values.user === undefined) throw new UsageError('--user is missing');
    const request = {
      actor: values.user.startsWith('urn:') ? values.user : `urn:li:corpuser:${values.user}`,
      role: roleOf(values.role),
      name: values.name,
      durationMs: parseDuration(values.duration),
    };
    return async (service, terminal) => {
      const { token, info } = await service.issue(SYSTEM_PRINCIPAL, request);
      terminal.err(`token ${info.id} of ${info.actor}, ${info.role}, ${endOf(info)}; shown this once:`);
      terminal.out(values.json ? asJson({ token, ...info }) : token);
    };
  },

  list(words) {
    const { json } = parseArgs({ args: [...words], options: JSON_OPTION }).values;
    return async (service, terminal) => {
      const { total, tokens: shown } = await service.list(SYSTEM_PRINCIPAL, { count: 1000 });
      if (json) return terminal.out(asJson({ total, tokens: shown }));
      const rows = shown.map((info) => [info.id, info.role, endOf(info), info.actor, info.name]);
      for (const line of table([['id', 'role', 'valid', 'user', 'name'], ...rows])) terminal.out(line);
      if (total > shown.length) terminal.err(`${total - shown.length} older ones are not shown`);
    };
  },

  revoke(words) {
    const { positionals, values } = parseArgs({
      args: [...words],
      options: JSON_OPTION,
      allowPositionals: true,
    });
    const [id, ...others] = positionals;
    if (id === undefined || others.length > 0) throw new UsageError('name the one token to revoke by its id');
    return async (service, terminal) => {
      const info = await service.revoke(SYSTEM_PRINCIPAL, id);
      const more = info.revokedWithIt;
      const whole = more === 0 ? 'is' : `and ${more} made with it ${more === 1 ? 'is' : 'are'}`;
      terminal.err(
        `token ${info.id} of ${info.actor} ${whole} revoked; a running service knows within five seconds`,
      );
      if (values.json) terminal.out(asJson(info));
    };
  },

  rotate(words) {
    const { positionals, values } = parseArgs({
      args: [...words],
      options: { overlap: { type: 'string', default: '1h' }, ...JSON_OPTION },
      allowPositionals: true,
    });
    const [id, ...others] = positionals;
    if (id === undefined || others.length > 0) throw new UsageError('name the one token to rotate by its id');
    const overlap = parseDuration(values.overlap);
    if (overlap === 'never') throw new UsageError('--overlap must be a duration');
    return async (service, terminal, home) => {
      const former = await kept(home);
      const holder = former === '' ? undefined : service.describe(SYSTEM_PRINCIPAL, former);
      const isKept = (await holder?.catch(() => undefined))?.id === id;
      const { token, info, formerId } = await service.rotate(SYSTEM_PRINCIPAL, id, overlap);
      if (isKept) await keep(home, token);
      const end = new Date(Date.now() + overlap).toISOString().slice(0, 16);
      const where = isKept ? '; the new one is in admin-token' : '';
      terminal.err(`the former token is ${formerId} now and ends ${end}Z at the latest${where}`);
      terminal.err(`token ${info.id} of ${info.actor}, ${info.role}, ${endOf(info)}; shown this once:`);
      terminal.out(values.json ? asJson({ token, ...info }) : token);
    };
  },
};

/** The token that CATALOG_HOME keeps; '' where there is none. */
const kept = async (home: string): Promise<string> =>
  (await readFile(join(home, 'admin-token'), 'utf8').catch(() => '')).trim();

/** Writes a token to CATALOG_HOME. The file is whole at any time. */
async function keep(home: string, token: string): Promise<void> {
  const path = join(home, 'admin-token');
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${token}\n`, { mode: 0o600, flush: true });
  await rename(draft, path);
}

function roleOf(text: string): Role {
  const role = ROLES.find((r) => r === text.toUpperCase());
  if (role === undefined) throw new UsageError(`there is no role "${text}": ${ROLES.join(', ')}`);
  return role;
}

function endOf(info: TokenInfo): string {
  if (info.revokedAt !== undefined) return 'revoked';
  if (info.expiresAt === undefined) return 'for ever';
  const date = `${new Date(info.expiresAt).toISOString().slice(0, 16)}Z`;
  return info.expiresAt <= Date.now() ? `expired ${date}` : `until ${date}`;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}
