import { Inject, Injectable } from '@nestjs/common';
import { SYSTEM_PRINCIPAL, type Principal } from '../../catalog/auth/index.js';
import { CatalogError, refuse } from '../../catalog/errors/index.js';
import type { RequestOrigin } from '../../catalog/schedule/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import type { Transaction } from '../../catalog/store/index.js';
import {
  accountParent,
  AccessTokenRepository,
  hashToken,
  JwtService,
  RefusedTokens,
  SessionHolders,
  SessionService,
  TokenService,
  type Session,
} from '../auth/index.js';
import { EditService } from '../ingest/index.js';
import { AccountRepository, accountRecord } from './account.repository.js';
import type { AccountRow } from './entities/account.row.js';
import { checkNamesAreOurs, checkUser, stateOf } from './accounts.service.js';
import { checkPassword, hashPassword, isPassword } from './passwords.js';
import { SignInAttempts } from './sign-in-attempts.js';

/** What people say of themselves who make an account by an invitation. */
export interface NewUser {
  readonly name: string;
  readonly fullName: string;
  readonly title?: string | undefined;
  readonly password: string;
}

/** Signs people in: by user name and password, or by a token. */
@Injectable()
export class SignInService {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly attempts: SignInAttempts,
    private readonly sessions: SessionService,
    private readonly tokens: TokenService,
    private readonly rows: AccessTokenRepository,
    private readonly jwts: JwtService,
    private readonly holders: SessionHolders,
    private readonly refused: RefusedTokens,
    private readonly edits: EditService,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'compatibility'>,
  ) {}

  /**
   * Signs in a caller that knows the password of an account, or gives an access token of that user instead.
   * @throws CatalogError CREDENTIALS_INVALID, in the same words and the same time for an unknown user;
   *   TOO_MANY_REQUESTS
   */
  async byPassword(name: string, password: string, origin: RequestOrigin): Promise<Session> {
    const actor = actorOf(name);
    const succeeded = await this.attempts.begin(actor, origin.address);
    const [account, user] = await Promise.all([this.accounts.find(actor), this.accounts.userState(actor)]);
    const right = await isPassword(password, account?.password ?? '');
    if (right && account !== undefined && stateOf(account, user) === 'ACTIVE') {
      const session = await this.sessions.ofAccount(account, origin, (tx) =>
        this.checkUnchanged(tx, account),
      );
      await succeeded();
      return session;
    }
    const holder = await this.holderOf(password, actor);
    if (holder === undefined) {
      // Names that there are no accounts of are not recorded: a person may have typed a password there.
      await this.refuse(account && actor, origin);
      throw new CatalogError('CREDENTIALS_INVALID', 'Invalid Credentials');
    }
    await succeeded();
    return this.sessions.ofToken(holder, origin);
  }

  /** Signs in who holds an access token, of this service or of an identity provider. @throws CatalogError as for a request with it */
  async byToken(token: string, origin: RequestOrigin): Promise<Session> {
    const succeeded = await this.attempts.begin('', origin.address);
    const ofProvider = this.jwts.takes(token) && this.tokens.known(token) === undefined;
    const holder = await (ofProvider ? this.jwts : this.tokens).verify(token, origin);
    if (holder.session !== undefined || !(await this.holders.mayHold({ ...holder, parent: '' })))
      throw new CatalogError('TOKEN_INVALID', 'invalid access token');
    await succeeded();
    return this.sessions.ofToken(holder, origin);
  }

  /**
   * Makes the account of someone who was invited, and the user with it.
   * @throws CatalogError TOKEN_INVALID, NAME_TAKEN, PARAMETER_INVALID, RULE_VIOLATED, TOO_MANY_REQUESTS
   */
  async signUp(
    invitation: string,
    { name, fullName, title, password }: NewUser,
    origin: RequestOrigin,
  ): Promise<Session> {
    const succeeded = await this.attempts.begin('', origin.address);
    const invited = await this.accounts.invitation(hashToken(invitation), Date.now());
    if (invited === undefined || invited.actor !== '') throw await this.refuseInvitation(origin);
    checkNamesAreOurs(this.jwts);
    const actor = actorOf(name);
    checkUser(actor, '/email');
    checkPassword(password, '/password');
    const { administrator } = this.settings.compatibility;
    const user = await this.accounts.userState(actor);
    // The name of a user gives what belongs to that user: it is an administrator who gives it away.
    const taken =
      user.life !== 0 || user.deleted || actor === administrator || (await this.rows.hasAny(actor));
    const nameTaken = () =>
      refuse('NAME_TAKEN', `there is a user ${name} already: ask an administrator`, '/email');
    if (taken || (await this.accounts.find(actor)) !== undefined) throw nameTaken();
    const hash = await hashPassword(password);
    const life = await this.makeUser(actor, { displayName: fullName, title });
    await this.accounts.change(async (tx, record) => {
      const account = {
        actor,
        role: invited.role,
        password: hash,
        life,
        createdAt: Date.now(),
        createdBy: invited.createdBy,
      };
      if (!(await this.accounts.insert(tx, account))) throw nameTaken();
      record(
        accountRecord(actor, actor, { created: true, role: invited.role, invitedBy: invited.createdBy }),
      );
    });
    await succeeded();
    return this.sessions.ofAccount({ actor, role: invited.role }, origin);
  }

  /**
   * Sets the password of an account. Its sessions end, and so do the tokens that were made in them: who knew the former password may
   * have made them.
   * @param name what the person says whose account it is, or undefined
   * @throws CatalogError TOKEN_INVALID, PARAMETER_INVALID, TOO_MANY_REQUESTS
   */
  async setPassword(
    token: string,
    name: string | undefined,
    password: string,
    origin: RequestOrigin,
  ): Promise<Session> {
    const succeeded = await this.attempts.begin('', origin.address);
    const hash = hashToken(token);
    const allowed = await this.accounts.invitation(hash, Date.now());
    if (allowed === undefined || allowed.actor === '') throw await this.refuseInvitation(origin);
    const { actor } = allowed;
    if (name !== undefined && actorOf(name) !== actor) throw await this.refuseInvitation(origin);
    checkPassword(password, '/password');
    const user = await this.accounts.userState(actor);
    if (user.removed || user.suspended) throw refuse('NOT_ALLOWED', `${actor} is suspended or removed`);
    const stored = await hashPassword(password);
    const life = await this.makeUser(actor, {});
    const { role, hashes } = await this.accounts.change(async (tx, record) => {
      const account = await this.accounts.find(actor, tx);
      const first = await this.accounts.use(tx, hash);
      if (!first || account === undefined) throw new CatalogError('TOKEN_INVALID', 'invalid or used token');
      await this.accounts.setPassword(tx, actor, stored, life);
      record(accountRecord(actor, actor, { passwordSet: true }));
      const how = { by: actor, now: Date.now() };
      return { ...account, hashes: await this.rows.revokeMadeBy(tx, record, accountParent(actor), how) };
    });
    this.tokens.forget(hashes);
    await succeeded();
    return this.sessions.ofAccount({ actor, role }, origin);
  }

  /** While a password was looked at, which takes its time, the account may have got another, or another role. */
  private async checkUnchanged(tx: Transaction, { actor, password, role }: AccountRow): Promise<void> {
    const account = await this.accounts.find(actor, tx, tx.dialect.forUpdate);
    if (account?.password !== password || account.role !== role)
      throw new CatalogError('CREDENTIALS_INVALID', 'Invalid Credentials');
  }

  /** The holder of what was typed as the password, where it is an access token of that user. */
  private async holderOf(typed: string, actor: string): Promise<Principal | undefined> {
    const holder = await this.tokens.holderOf(typed);
    if (holder?.actor !== actor || holder.session !== undefined) return undefined;
    return (await this.holders.mayHold({ ...holder, parent: '' })) ? holder : undefined;
  }

  /** The user in the catalog, made where there is none. @returns since when it exists */
  private async makeUser(
    actor: string,
    { displayName, title }: { displayName?: string; title?: string | undefined },
  ): Promise<number> {
    const name = actor.slice('urn:li:corpuser:'.length);
    const email = name.includes('@') ? { email: name } : {};
    await this.edits.submit(SYSTEM_PRINCIPAL, [
      {
        ...{ urn: actor, at: '/email', what: 'account', entity: 'any', aspect: 'corpUserInfo' },
        apply: (current) =>
          current
            ? undefined
            : { active: true, displayName: displayName ?? name, ...email, ...(title && { title }) },
      },
    ]);
    return (await this.accounts.userState(actor)).life;
  }

  private async refuseInvitation(origin: RequestOrigin): Promise<CatalogError> {
    await this.refuse(undefined, origin);
    return new CatalogError(
      'TOKEN_INVALID',
      'this invitation or permission to set a password is unknown, used or ended',
    );
  }

  private async refuse(actor: string | undefined, origin: RequestOrigin): Promise<void> {
    await this.refused.note(
      { reason: 'CREDENTIALS_INVALID', ...(actor !== undefined && { token: { actor } }) },
      origin,
    );
  }
}

const actorOf = (name: string): string => `urn:li:corpuser:${name.trim().slice(0, 512)}`;
