import { hash } from 'node:crypto';
import { CREATE, DELETE, EDIT, type Access, type Resource } from '../../catalog/auth/index.js';
import type { Model } from '../../catalog/model/index.js';
import {
  aspectsOfField,
  ENTITY_TYPE_FIELD,
  entityTypeName,
  URN_FIELD,
  valuesOfField,
  type QueryNode,
} from '../../catalog/search/index.js';
import { OWNERS_FIELD, type Policy } from './policy.js';
import { VIEWS } from './privileges.js';
import { Rule, type Clause, type ValuesOf } from './rule.js';

/** Who calls, as far as policies tell callers apart: URNs. */
export interface Caller {
  readonly actor: string;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
}

/** A policy that concerns the caller, with the entities that it is about for this caller. */
interface Concerned {
  readonly policy: Policy;
  readonly clause: Clause;
}

/** What the policies allow one caller. */
export class CallerAccess implements Access {
  readonly aspects: readonly string[];
  readonly readable: QueryNode | undefined;
  private readonly concerned: readonly Concerned[];
  private readonly reading: Rule;
  private readonly rules = new Map<string, Rule>();
  private readonly firstRules = new Map<string, Rule>();

  constructor(
    private readonly model: Model,
    policies: readonly Policy[],
    caller: Caller,
  ) {
    this.concerned = policies.flatMap((policy) => concern(policy, caller) ?? []);
    this.reading = this.rule(has(isViewOrEdit), has(isView));
    this.readable = this.reading.always ? undefined : shared(this.reading.query());
    const fields = new Set(this.concerned.flatMap(({ clause }) => clause.map(({ field }) => field)));
    this.aspects = aspectsOf(fields, model);
  }

  /** Whether everything is allowed that a role may allow. */
  get unrestricted(): boolean {
    return (
      this.reading.always &&
      !this.concerned.some(({ policy }) => policy.denies) &&
      [EDIT, CREATE, DELETE].every((name) => this.ruleOf(name).always)
    );
  }

  reads(resource: Resource): boolean {
    return this.reading.always || resource.readsFor(this, () => this.reading.allows(this.valuesOf(resource)));
  }

  allows(privilege: string, resource: Resource): boolean {
    return this.reads(resource) && this.holds(this.ruleOf(privilege), resource);
  }

  creates(privilege: string, resource: Resource): boolean {
    return this.allows(CREATE, resource) && this.holds(this.firstRuleOf(privilege), resource);
  }

  private holds(rule: Rule, resource: Resource): boolean {
    return rule.always || rule.allows(this.valuesOf(resource));
  }

  private ruleOf(privilege: string): Rule {
    let rule = this.rules.get(privilege);
    if (rule === undefined) {
      const means = meaning(privilege);
      this.rules.set(privilege, (rule = this.rule(means, means)));
    }
    return rule;
  }

  /** Where something may be done with an entity that is made by that. */
  private firstRuleOf(privilege: string): Rule {
    let rule = this.firstRules.get(privilege);
    if (rule === undefined) {
      const means = meaning(privilege);
      rule = this.rule((policy) => policy.firstValues === true || means(policy), means);
      this.firstRules.set(privilege, rule);
    }
    return rule;
  }

  private rule(allows: (policy: Policy) => boolean, denies: (policy: Policy) => boolean): Rule {
    const clauses = (denying: boolean, means: (policy: Policy) => boolean): Clause[] =>
      this.concerned
        .filter(({ policy }) => policy.denies === denying && means(policy))
        .map(({ clause }) => clause);
    return new Rule(clauses(false, allows), clauses(true, denies));
  }

  private valuesOf(resource: Resource): ValuesOf {
    return (field) => resource.valuesOf(field, () => this.read(field, resource));
  }

  private read(field: string, resource: Resource): ReadonlySet<string> {
    const { urn, entityType } = resource;
    if (field === URN_FIELD) return new Set([urn]);
    if (field === ENTITY_TYPE_FIELD) return new Set([entityTypeName(entityType)]);
    const entity = this.model.entities.get(entityType);
    return new Set(
      entity ? valuesOfField(entity, field, urn, (name) => resource.valueOf(name)).map(String) : [],
    );
  }
}

/** The filter is part of each search of the caller, and long where there are many policies. */
function shared(node: QueryNode): QueryNode {
  return { op: 'shared', key: hash('sha256', JSON.stringify(node), 'base64url'), node };
}

const isView = (name: string): boolean => (VIEWS as readonly string[]).includes(name);
/** What may be edited or deleted can be read. */
const isViewOrEdit = (name: string): boolean => isView(name) || name.startsWith('EDIT_') || name === DELETE;

/** Whether a policy names a privilege of some. */
const has =
  (means: (name: string) => boolean) =>
  ({ privileges }: Policy): boolean =>
    [...privileges].some(means);

/** Whether a policy names what comes to a privilege. */
function meaning(privilege: string): (policy: Policy) => boolean {
  const edits = privilege !== CREATE && privilege !== DELETE && !isView(privilege);
  return has((name) => name === privilege || (edits && name === EDIT) || (isView(privilege) && isView(name)));
}

/** Whether a policy is about the caller: at any time, or only with what the caller or a group of theirs owns. */
function concern(policy: Policy, { actor, groups, roles }: Caller): Concerned | undefined {
  const { actors, clause } = policy;
  const concerned =
    actors.allUsers ||
    actors.users?.includes(actor) === true ||
    (actors.allGroups && groups.length > 0) ||
    actors.groups?.some((group) => groups.includes(group)) === true ||
    actors.roles?.some((role) => roles.includes(role)) === true;
  if (concerned) return { policy, clause };
  if (!actors.resourceOwners) return undefined;
  const owned = { field: OWNERS_FIELD, is: 'equal', values: new Set([actor, ...groups]) } as const;
  return { policy, clause: [...clause, owned] };
}

/** The aspects that hold the values of some fields, whatever the type of entity. */
function aspectsOf(fields: ReadonlySet<string>, model: Model): string[] {
  const names = new Set<string>();
  for (const entity of model.entities.values())
    for (const field of fields)
      for (const { name } of aspectsOfField(entity, field)) if (name !== entity.key.name) names.add(name);
  return [...names].sort();
}
