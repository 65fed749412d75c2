import { NotFoundException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { authorize, callerOf, type Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import type { AuthenticatedRequest, BearerGuard, RouteMarks } from '../../modules/auth/index.js';
import type { BackgroundThrottle } from '../../catalog/schedule/index.js';
import type { RouteTable } from '../route-table.js';
import { pathOf } from '../surface.js';
import type { WebClient } from '../web-client.js';
import type { BodyBudget } from './body-budget.js';
import { checkAnnounced } from './body-reader.js';
import { takeAsJson } from './content-type.js';
import type { RateLimits } from './rate-limits.js';
import type { RequestSlots } from './request-slots.js';

/** Requests that must be answered however much there is to do: their senders decide whether the process lives. */
const ALWAYS_ANSWERED = /^\/(health|metrics)(\/|$)/;

/** Bodies of requests that need no token: what a person types, in bytes. */
const OPEN_BODY = 64 * 1024;

/** How long the work of a client that disconnected may keep its place at most. */
const ORPHAN_MS = 120_000;

/** How large bodies may be, in bytes. */
export interface BodyLimits {
  /** Of requests that write aspects. */
  readonly writes: number;
  /** Of all others. */
  readonly others: number;
}

export interface Admission {
  readonly routes: RouteTable;
  /** Absent where the application has no authentication. */
  readonly guard?: BearerGuard | undefined;
  /** Told of requests, so that work in the background lets them go first. */
  readonly throttle?: BackgroundThrottle | undefined;
  readonly limits: BodyLimits;
  /**
   * Whether actions of the aspect API take JSON whatever Content-Type says: existing clients send it without one. That
   * is safe where a token is needed, which no page can add without asking first; without authentication it would open
   * the service to every page that the user looks at.
   */
  readonly anyContentType: boolean;
  readonly budget: BodyBudget;
  readonly slots: RequestSlots;
  /** How many requests may be under way or wait, of all callers. */
  readonly requests: number;
  /** Absent where callers may send as many requests as they like. */
  readonly rates?: RateLimits | undefined;
  /** The pages of a web client that is served, which need no token. */
  readonly pages?: WebClient | undefined;
  /** Says what there is too much of at this moment. */
  readonly pressure: () => string | undefined;
}

/** How the body of a request that was let in is to be read. */
export interface BodyTerms {
  readonly reply: FastifyReply;
  /** The most that it may have, in bytes. */
  readonly limit: number;
  /** Whether it holds aspects to be written. */
  readonly writes: boolean;
  /** What its Content-Type said, where it is read as JSON all the same; empty where it said nothing. */
  readonly saidType: string | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    bodyTerms: BodyTerms | null;
  }
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/**
 * Admits or refuses a request by its headers alone, before a byte of its body is read: by the route, the load of the
 * service, the caller and its privileges, and the size of the body. To be called before the routes are registered.
 */
export function admitRequests(server: FastifyInstance, parts: Admission): void {
  const { routes, guard } = parts;
  const { pages, rates } = parts;
  if (pages !== undefined)
    server.addHook('onRequest', (request, reply, done) => {
      const path = pages.pathOf(request);
      if (path === undefined) {
        done();
        return;
      }
      const counted = rates === undefined ? Promise.resolve() : rates.check(request, reply);
      counted.then(() => pages.send(request, reply, path)).catch(done);
    });
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) {
      done();
      return;
    }
    const refuseWith = (error: Error): void => refuseCounted(parts.rates, request, reply, error, done);
    const missing = (): void => refuseWith(new NotFoundException());
    if (guard === undefined || !routes.isGuarded(pathOf(request.url))) missing();
    // Which methods a path knows is for those who may use it.
    else guard.authenticate(request as AuthenticatedRequest).then(missing, refuseWith);
  });

  const admission = new RouteAdmission(parts);
  const own = new WeakSet<object>();
  server.addHook('onRoute', (route: RouteOptions) => {
    const marks = (route.config ?? {}) as RouteMarks;
    routes.add(route.method, route.url, marks.open);
    const hook = admission.hookFor(marks, ALWAYS_ANSWERED.test(route.url));
    own.add(hook);
    // The route that Fastify makes for HEAD has got the hook of the one for GET.
    const others = [route.onRequest ?? []].flat().filter((other) => !own.has(other));
    route.onRequest = [...others, hook];
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    admission.sent(reply);
    done();
  });
}

/** Refuses a request that counts all the same, with another error when there are too many of its sender. */
function refuseCounted(
  rates: RateLimits | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  error: Error,
  done: (error: Error) => void,
): void {
  if (rates === undefined) done(error);
  else rates.check(request, reply).then(() => done(error), done);
}

class RouteAdmission {
  private admitted = 0;
  /** What gives back the places of requests whose clients disconnected before the response. */
  private readonly orphans = new Map<FastifyReply, () => void>();

  constructor(private readonly parts: Admission) {}

  hookFor(marks: RouteMarks, alwaysAnswered: boolean): Hook {
    const { guard, throttle, rates } = this.parts;
    const guarded = guard !== undefined && marks.open !== true;
    const works = marks.waits !== true;
    return (request, reply, done) => {
      const served = works ? throttle?.requestStarted() : undefined;
      if (alwaysAnswered) {
        if (served !== undefined) reply.raw.on('close', served);
        this.check(marks, request, reply, undefined, done);
        return;
      }
      // One request is always let in: only what is done shows whether the pressure is gone.
      const trouble = this.admitted > 0 ? this.trouble(works, marks.pageFile === true) : undefined;
      if (trouble !== undefined) {
        if (served !== undefined) reply.raw.on('close', served);
        done(refuse('SERVICE_UNAVAILABLE', `${trouble}: try again soon`));
        return;
      }
      const visit = new Visit(this.parts.slots);
      if (works) {
        this.admitted++;
        // One listener for all, as this is done for every request. Also called when the client becomes unavailable.
        reply.raw.on('close', () => {
          this.admitted--;
          served?.();
          visit.close(reply, this.orphans);
        });
      }
      const counted = (next: () => void): void => {
        if (rates === undefined) next();
        else rates.check(request, reply).then(next, done);
      };
      const refuseWith = (error: Error): void => refuseCounted(rates, request, reply, error, done);
      if (!guarded) counted(() => this.check(marks, request, reply, undefined, done));
      else {
        const enter = (principal: Principal): void =>
          this.check(marks, request, reply, principal, (error) => {
            if (error === undefined && works) this.takePlace(principal, visit, reply, done);
            else done(error);
          });
        const letIn = (principal: Principal): void => counted(() => enter(principal));
        let known: Principal | undefined;
        try {
          known = guard.recognize(request);
        } catch (error) {
          refuseWith(error as Error);
          return;
        }
        if (known !== undefined) letIn(known);
        else guard.authenticate(request as AuthenticatedRequest).then(letIn, refuseWith);
      }
    };
  }

  /** What there is too much of for one more request. */
  private trouble(works: boolean, pageFile: boolean): string | undefined {
    const { requests, pressure } = this.parts;
    if (works && this.admitted >= requests)
      return `${this.admitted} requests are under way, and there may not be more`;
    return pageFile ? undefined : pressure();
  }

  /** An answer is being sent, maybe to a client that has gone. */
  sent(reply: FastifyReply): void {
    if (this.orphans.size > 0) this.orphans.get(reply)?.();
  }

  private check(
    marks: RouteMarks,
    request: FastifyRequest,
    reply: FastifyReply,
    principal: Principal | undefined,
    done: (error?: Error) => void,
  ): void {
    const { method } = request.raw;
    if (method === 'GET' || method === 'HEAD') {
      done();
      return;
    }
    const { limits, budget, anyContentType } = this.parts;
    const writes = isWrite(marks, request);
    const limit = writes
      ? limits.writes
      : marks.open === true
        ? Math.min(limits.others, OPEN_BODY)
        : limits.others;
    try {
      if (principal !== undefined && writes) authorize(principal, 'write');
      checkAnnounced(request.raw, limit, budget);
    } catch (error) {
      done(error as Error);
      return;
    }
    const saidType = anyContentType && marks.anyContentType ? takeAsJson(request.raw) : undefined;
    request.bodyTerms = { reply, limit, writes, saidType };
    done();
  }

  /** Goes on when the request has its place, which it keeps until it is answered, also when its client becomes unavailable. */
  private takePlace(
    principal: Principal,
    visit: Visit,
    reply: FastifyReply,
    done: (error?: Error) => void,
  ): void {
    const { slots } = this.parts;
    const token = callerOf(principal);
    const enter = (): void => {
      visit.token = token;
      done();
    };
    let entered: Promise<boolean> | true;
    try {
      entered = slots.enter(token, (abandon) => (visit.abandon = abandon));
    } catch (error) {
      done(error as Error);
      return;
    }
    if (entered === true) enter();
    // No client is there to read an answer, and nothing of the request was done.
    else void entered.then((letIn) => (letIn ? enter() : void reply.hijack()));
  }
}

/** What a request holds while it is under way. */
class Visit {
  /** Takes it out of the line. */
  abandon: (() => void) | undefined;
  /** Whose place it has: not a function that gives it back, see "Functions in properties" in ADR 16. */
  token: string | undefined;

  constructor(private readonly slots: RequestSlots) {}

  close(reply: FastifyReply, orphans: Map<FastifyReply, () => void>): void {
    const { slots, token } = this;
    if (token === undefined) this.abandon?.();
    else if (reply.raw.writableEnded) slots.leave(token);
    else {
      // The work goes on until it has an answer.
      const end = (): void => {
        clearTimeout(timer);
        if (orphans.delete(reply)) slots.leave(token);
      };
      const timer = setTimeout(end, ORPHAN_MS).unref();
      orphans.set(reply, end);
    }
  }
}

/** Whether the request writes aspects: by its route, or by the action that it names. */
function isWrite({ writes }: RouteMarks, request: FastifyRequest): boolean {
  if (writes === undefined || writes === true) return writes === true;
  const { action } = request.query as { action?: unknown };
  return typeof action === 'string' && writes.has(`${request.routeOptions.url}?action=${action}`);
}
