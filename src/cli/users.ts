import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '../backing/open-database.js';
import { ROLES, SYSTEM_PRINCIPAL, type Role } from '../catalog/auth/index.js';
import { readConfiguration } from '../config/configuration.js';
import { auditLogOf } from '../modules/audit/index.js';
import { AccessTokenRepository } from '../modules/auth/index.js';
import { HeadRepository } from '../modules/entities/index.js';
import { AccountRepository, AccountsService } from '../modules/sign-in/index.js';
import { asJson, UsageError, type Command, type Terminal } from './command.js';

/** A user who can open the database is trusted: this needs no token. */
export const users: Command = {
  usage: `Usage: npm run catalog -- users create <user> [--role EDITOR] [--json]
       npm run catalog -- users invite [--role READER] [--json]
       npm run catalog -- users reset <user> [--json]
       npm run catalog -- users role <user> --role <role> [--json]
       npm run catalog -- users delete <user> [--json]
       npm run catalog -- users list [--json]

Works on the database of CATALOG_HOME, also while the service runs.

  <user>   a user name, or urn:li:corpuser:<name>
  --role   ${ROLES.join(', ')}
  --json   print what is made, changed or listed as JSON

create makes an account and prints what its user sets the password with (POST /resetNativeUserCredentials), reset does so
again. invite prints what people make accounts of a role with (POST /signUp), unless an identity provider names users as well
(CATALOG_OIDC_ISSUER). Another role, a new password and delete end all sessions of the account, and the tokens that were made in
them; the user stays.`,

  async run([action, ...words], terminal) {
    const perform = ACTIONS[action ?? ''];
    if (!perform)
      throw new UsageError(
        action === undefined ? 'say what to do' : `cannot ${JSON.stringify(action)} users`,
      );
    const job = perform(words);
    const configuration = readConfiguration();
    await mkdir(configuration.home, { recursive: true, mode: 0o700 });
    const database = await openDatabase(configuration);
    try {
      const audit = auditLogOf(database, configuration.audit === 'on');
      const accounts = new AccountRepository(database, audit, new HeadRepository(database));
      // A running service knows within five seconds.
      const elsewhere = { forget: () => undefined };
      await job(
        new AccountsService(accounts, new AccessTokenRepository(database, audit), elsewhere, {
          configured: configuration.oidcIssuers.length > 0,
        }),
        terminal,
      );
      await audit.close();
      return 0;
    } finally {
      await database.close();
    }
  },
};

type Job = (accounts: AccountsService, terminal: Terminal) => Promise<void>;

/** Each reads its words first, so that a misspelt option is found before anything is opened. */
const ACTIONS: Readonly<Record<string, (words: readonly string[]) => Job>> = {
  create(words) {
    const { actor, role = 'EDITOR', json } = read(words, { role: true });
    return async (accounts, terminal) => {
      const token = await accounts.create(SYSTEM_PRINCIPAL, actor, role);
      terminal.err(`${actor} has an account, ${role}, and sets the password within a day with:`);
      terminal.out(json ? asJson({ actor, role, resetToken: token }) : token);
    };
  },
  invite(words) {
    const { role = 'READER', json } = read(words, { user: false, role: true });
    return async (accounts, terminal) => {
      const token = await accounts.invite(SYSTEM_PRINCIPAL, role);
      terminal.err(`people make accounts of the role ${role} within a week with:`);
      terminal.out(json ? asJson({ role, inviteToken: token }) : token);
    };
  },
  reset(words) {
    const { actor, json } = read(words);
    return async (accounts, terminal) => {
      const token = await accounts.reset(SYSTEM_PRINCIPAL, actor);
      terminal.err(`${actor} sets the password within a day with:`);
      terminal.out(json ? asJson({ actor, resetToken: token }) : token);
    };
  },
  role(words) {
    const { actor, role, json } = read(words, { role: true });
    if (role === undefined) throw new UsageError('--role is missing');
    return async (accounts, terminal) => {
      await accounts.setRole(SYSTEM_PRINCIPAL, actor, role);
      terminal.err(`${actor} is ${role}; a running service knows within five seconds`);
      if (json) terminal.out(asJson({ actor, role }));
    };
  },
  delete(words) {
    const { actor, json } = read(words);
    return async (accounts, terminal) => {
      await accounts.delete(SYSTEM_PRINCIPAL, actor);
      terminal.err(`${actor} has no account any more; a running service knows within five seconds`);
      if (json) terminal.out(asJson({ actor }));
    };
  },
  list(words) {
    const { json } = read(words, { user: false });
    return async (accounts, terminal) => {
      const found = await accounts.list(SYSTEM_PRINCIPAL, 0, 1000);
      if (json) return terminal.out(asJson(found));
      for (const { actor, role, state } of found.accounts)
        terminal.out(`${role.padEnd(6)}  ${state.padEnd(9)}  ${actor}`);
      const more = found.total - found.accounts.length;
      if (more > 0) terminal.err(`${more} more are not shown`);
    };
  },
};

function read(
  words: readonly string[],
  takes: { user?: boolean; role?: boolean } = {},
): { actor: string; role?: Role; json: boolean } {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: {
      ...(takes.role === true && { role: { type: 'string' } }),
      json: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  if (positionals.length !== (takes.user === false ? 0 : 1))
    throw new UsageError(takes.user === false ? `there is no place for ${positionals[0]}` : 'name one user');
  const [user = ''] = positionals;
  const actor = user.startsWith('urn:') ? user : `urn:li:corpuser:${user}`;
  const { role: text, json = false } = values as { role?: string; json?: boolean };
  if (text === undefined) return { actor, json };
  const role = ROLES.find((one) => one === text.toUpperCase());
  if (role === undefined) throw new UsageError(`there is no role "${text}": ${ROLES.join(', ')}`);
  return { actor, role, json };
}
