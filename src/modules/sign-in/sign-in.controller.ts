import { Body, Controller, Inject, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../catalog/errors/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { Serves } from '../../routing/serves.js';
import {
  BearerGuard,
  fromOwnPage,
  noCookies,
  Public,
  sessionTokenOf,
  SessionService,
  speaksTls,
  startSession,
  type Session,
} from '../auth/index.js';
import { RequestBody } from './request-body.js';
import { authenticate, leaveBySignOut, logIn, logOut, setPassword, signUp } from './sign-in.routes.js';
import { SignInService } from './sign-in.service.js';

/** What the answer to a sign-in says, beside the cookies. */
interface SignedIn {
  readonly actor: string;
  readonly expiresAt: number;
}

/**
 * What web clients of the field ask the server that serves their pages: to sign people in and out. A session is a cookie.
 */
@Public()
@Controller()
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly sessions: SessionService,
    private readonly guard: BearerGuard,
    @Inject(CATALOG_SETTINGS)
    private readonly settings: Pick<CatalogSettings, 'auth' | 'compatibility' | 'webClient'>,
  ) {}

  @Serves(logIn)
  async logIn(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() sent: unknown,
  ): Promise<SignedIn> {
    const body = bodyOf(request, sent);
    if (this.settings.auth === 'off') return this.anybody(request, reply);
    const token = body.optional('token');
    const session =
      token === undefined
        ? await this.signIn.byPassword(body.text('username'), body.text('password'), request.origin)
        : await this.signIn.byToken(token.trim(), request.origin);
    return this.begin(request, reply, session);
  }

  @Serves(signUp)
  async signUp(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() sent: unknown,
  ): Promise<SignedIn> {
    const body = bodyOf(request, sent);
    const user = {
      name: body.text('email'),
      fullName: body.text('fullName'),
      title: body.optional('title'),
      password: body.text('password'),
    };
    const session = await this.signIn.signUp(body.text('inviteToken'), user, request.origin);
    return this.begin(request, reply, session);
  }

  @Serves(setPassword)
  async setPassword(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() sent: unknown,
  ): Promise<SignedIn> {
    const body = bodyOf(request, sent);
    const [token, password] = [body.text('resetToken'), body.text('password')];
    const session = await this.signIn.setPassword(token, body.optional('email'), password, request.origin);
    return this.begin(request, reply, session);
  }

  @Serves(logOut)
  async end(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Record<string, never>> {
    checkPage(request);
    await this.endOf(request, reply);
    return {};
  }

  @Serves(leaveBySignOut)
  async logOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // A link on another page ends nothing.
    if (fromOwnPage(request.headers, request.host) !== false) await this.endOf(request, reply);
    void reply.redirect(this.signInPage(), 302);
  }

  @Serves(authenticate)
  async authenticate(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query('redirect_uri') wanted: unknown,
  ): Promise<void> {
    const page = localPath(wanted);
    if (this.settings.auth === 'off') this.anybody(request, reply);
    const signedIn = this.settings.auth === 'off' || (await this.holderOf(request)) !== undefined;
    void reply.redirect(signedIn ? page : this.signInPage(page), 302);
  }

  /** Where people sign in: the page of the web client where one is served, else that of our own web application. */
  private signInPage(next?: string): string {
    if (this.settings.webClient === undefined) return '/web';
    return next === undefined ? '/login' : `/login?redirect_uri=${encodeURIComponent(next)}`;
  }

  private begin(request: FastifyRequest, reply: FastifyReply, session: Session): SignedIn {
    startSession(request, reply, session);
    void reply.header('cache-control', 'no-store');
    return { actor: session.actor, expiresAt: session.expiresAt };
  }

  /** Where every caller is the administrator, web clients want to see the cookie that says who is signed in. */
  private anybody(request: FastifyRequest, reply: FastifyReply): SignedIn {
    const expiresAt = Date.now() + 86_400_000;
    const actor = this.settings.compatibility.administrator;
    startSession(request, reply, { token: 'none', actor, expiresAt });
    return { actor, expiresAt };
  }

  private holderOf(request: FastifyRequest) {
    const { headers, protocol, origin } = request;
    if (sessionTokenOf(headers, protocol) === undefined) return undefined;
    const call = {
      headers: { ...headers, authorization: undefined, 'sec-fetch-site': 'none' },
      ...{ protocol, origin },
    };
    return this.guard.authenticate(call).catch(() => undefined);
  }

  private async endOf(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const holder = await this.holderOf(request);
    if (holder?.session !== undefined) await this.sessions.end(holder, holder.tokenId!);
    void reply.header('set-cookie', noCookies(speaksTls(request.headers, request.protocol)));
  }
}

/** No other page may sign a person in: what the person does then would be for another user to see. */
function checkPage(request: FastifyRequest): void {
  if (fromOwnPage(request.headers, request.host) === false)
    throw refuse('NOT_ALLOWED', 'this is for pages of this origin');
}

/** What a page of this origin sent. */
function bodyOf(request: FastifyRequest, sent: unknown): RequestBody {
  checkPage(request);
  return RequestBody.of(sent);
}

/** A path of this service; `/` for everything else. */
function localPath(wanted: unknown): string {
  if (typeof wanted !== 'string') return '/';
  const base = 'http://catalog.invalid';
  const url = URL.parse(wanted, base);
  if (!wanted.startsWith('/') || url?.origin !== base) return '/';
  // What is left of `/x/..//other.example` would lead to another host.
  return url.pathname.replace(/^\/+/, '/') + url.search + url.hash;
}
