import { Inject, Injectable, Logger } from '@nestjs/common';
import { AccessPolicies, type Principal } from '../../catalog/auth/index.js';
import type {
  DataHubPolicyInfo,
  GroupMembership,
  NativeGroupMembership,
  RoleMembership,
} from '../../catalog/model/generated/aspects.js';
import { Model } from '../../catalog/model/index.js';
import { outsideRequests } from '../../catalog/schedule/index.js';
import { EntityStateReader, type EntityState } from '../../catalog/store/index.js';
import { TokenService } from '../auth/index.js';
import { BUILT_IN, ROLE_URNS } from './built-in.js';
import { CallerAccess, type Caller } from './caller-access.js';
import { DOMAIN, domainsBelow, type DomainsBelow } from './domains-below.js';
import { flawsOf, namesDomains, readPolicy, type Policy } from './policy.js';

/** The type of the entities that policies are stored as. */
export const POLICY = 'dataHubPolicy';
/** For so long it is not asked again whether policies have changed: it holds within 5 s in every process. */
const FRESH_MS = 2_000;
/** Callers whose access is kept. */
const CALLERS = 1_000;

/** The policies as they were read. */
interface Policies {
  /** Differ after every change of a policy, and of a domain where one is named. */
  readonly mark: string;
  readonly domainMark: string;
  /** Those that are stored, by URN. */
  readonly stored: ReadonlyMap<string, DataHubPolicyInfo>;
  readonly active: readonly Policy[];
  /** Whether nothing is stored that restricts anybody. */
  readonly builtInOnly: boolean;
  /** What callers may do, by what tells them apart. */
  readonly callers: Map<string, CallerAccess>;
}

/** A caller, with what the policies left of the role when it was last found out. */
interface Applied {
  readonly policies: Policies;
  readonly principal: Principal;
  readonly at: number;
}

/**
 * The policies of the catalog, applied to callers. They are read from the store, and again when one has changed: changes of
 * this process at once, those of others within two seconds.
 */
@Injectable()
export class PoliciesService extends AccessPolicies {
  private readonly logger = new Logger(PoliciesService.name);
  private policies: Policies | undefined;
  private checkedAt = -Infinity;
  /** Counts changes of this process: what was read before one of them is not fresh. */
  private changes = 0;
  private checking: Promise<Policies> | undefined;
  private applied = new WeakMap<Principal, Applied>();

  constructor(
    private readonly model: Model,
    @Inject(EntityStateReader) private readonly entities: EntityStateReader,
    private readonly tokens: TokenService,
  ) {
    super();
  }

  override known(principal: Principal): Principal | undefined {
    if (principal.role === 'ADMIN') return principal;
    const { policies } = this;
    const now = performance.now();
    if (policies === undefined || now - this.checkedAt >= FRESH_MS) return undefined;
    if (policies.builtInOnly) return principal;
    const before = this.applied.get(principal);
    const fresh = before?.policies === policies && now - before.at < FRESH_MS;
    return fresh ? before.principal : undefined;
  }

  override async applyTo(principal: Principal): Promise<Principal> {
    const known = this.known(principal);
    if (known !== undefined) return known;
    const policies = await this.current();
    if (policies.builtInOnly) return principal;
    const { changes } = this;
    const at = performance.now();
    const access = this.accessOf(policies, await this.callerOf(principal));
    const found = access.unrestricted ? principal : Object.freeze({ ...principal, access });
    if (changes === this.changes) this.applied.set(principal, { policies, principal: found, at });
    return found;
  }

  override committed(entityType: string): void {
    const people = entityType === 'corpuser' || entityType === 'corpGroup';
    if (entityType !== POLICY && entityType !== DOMAIN && !people) return;
    this.changes += 1;
    if (entityType === 'corpuser') this.tokens.usersChanged();
    this.applied = new WeakMap();
    if (people) return;
    this.checkedAt = -Infinity;
    this.checking = undefined;
  }

  private current(): Promise<Policies> {
    if (this.policies !== undefined && performance.now() - this.checkedAt < FRESH_MS)
      return Promise.resolve(this.policies);
    if (this.checking !== undefined) return this.checking;
    // For all that wait for it, whatever becomes of the request that asks first.
    const checking = outsideRequests(() => this.check()).finally(() => {
      if (this.checking === checking) this.checking = undefined;
    });
    return (this.checking = checking);
  }

  private async check(): Promise<Policies> {
    const { changes } = this;
    const at = performance.now();
    const policies = await this.read(this.policies);
    // What was read while a policy changed may be from before.
    if (changes === this.changes) {
      this.policies = policies;
      this.checkedAt = at;
    }
    return policies;
  }

  /** The policies as they are now: the same object as before, if nothing has changed. */
  private async read(before: Policies | undefined): Promise<Policies> {
    // A mark before what it stands for: what changes in between is read again.
    const mark = await this.entities.markOf(POLICY);
    const stored = before?.mark === mark ? before.stored : infosOf(await this.entities.ofType(POLICY));
    const nested = [...stored.values()].some(namesDomains);
    const domainMark = nested ? await this.entities.markOf(DOMAIN) : '';
    if (before?.mark === mark && before.domainMark === domainMark) return before;
    const below = domainsBelow(nested ? await this.entities.ofType(DOMAIN) : []);
    const active = this.activeOf(stored, below);
    const denies = active.some((policy) => policy.denies);
    const builtInOnly = !denies && ![...BUILT_IN.keys()].some((urn) => stored.has(urn));
    return { mark, domainMark, stored, active, builtInOnly, callers: new Map() };
  }

  private activeOf(stored: Policies['stored'], below: DomainsBelow): Policy[] {
    return [...new Map([...BUILT_IN, ...stored])].flatMap(([urn, info]) => {
      const [flaw] = flawsOf(info, this.model);
      if (flaw === undefined) return readPolicy(urn, info, this.model, below);
      this.logger.warn(`the policy ${urn} is not applied: ${flaw.pointer} ${flaw.message}`);
      return [];
    });
  }

  private accessOf({ active, callers }: Policies, caller: Caller): CallerAccess {
    const key = JSON.stringify(caller);
    let access = callers.get(key);
    if (access === undefined) {
      if (callers.size >= CALLERS) callers.delete(callers.keys().next().value!);
      callers.set(key, (access = new CallerAccess(this.model, active, caller)));
    }
    return access;
  }

  /** Groups of a user, from the catalog and from claims, and roles: of the token, the user and the groups. */
  private async callerOf({ actor, role, groups: claimed = [] }: Principal): Promise<Caller> {
    const user = (await this.entities.states([actor])).get(actor);
    const joined = valueOf<GroupMembership>(user, 'groupMembership')?.groups ?? [];
    const native = valueOf<NativeGroupMembership>(user, 'nativeGroupMembership')?.nativeGroups ?? [];
    const groups = [...new Set([...joined, ...native, ...claimed])].sort();
    const states = groups.length === 0 ? [] : (await this.entities.states(groups)).values();
    const roles = [user, ...states].flatMap(
      (state) => valueOf<RoleMembership>(state, 'roleMembership')?.roles ?? [],
    );
    return { actor, groups, roles: [...new Set([ROLE_URNS[role], ...roles])].sort() };
  }
}

/** The value of an aspect of a user or group, if there is one. */
const valueOf = <T>(state: EntityState | undefined, aspect: string): T | undefined =>
  state?.aspects.get(aspect)?.value as T | undefined;

function infosOf(states: readonly EntityState[]): Policies['stored'] {
  const stored = new Map<string, DataHubPolicyInfo>();
  for (const { urn, removed, aspects } of states) {
    const info = aspects.get('dataHubPolicyInfo')?.value as DataHubPolicyInfo | undefined;
    if (info !== undefined && !removed) stored.set(urn, info);
  }
  return stored;
}
