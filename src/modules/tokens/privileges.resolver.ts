import { Args, Context, Query, Resolver } from '@nestjs/graphql';
import {
  authorize,
  createsKinds,
  KINDS_CREATED,
  KINDS_MANAGED,
  managesKinds,
  type Principal,
  type Privilege,
} from '../../catalog/auth/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import { CurrentPrincipal, RequestContext } from '../graphql/index.js';
import {
  AuthenticatedUser,
  GetGrantedPrivilegesInput,
  PLATFORM_PRIVILEGES,
  Privileges,
  RESOURCE_PRIVILEGES,
  SAME_PRIVILEGE,
} from './privileges.types.js';

/** Privileges of the service whose names in policies are not those of the fields in capitals. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  manageOwnershipTypes: 'MANAGE_GLOBAL_OWNERSHIP_TYPES',
  manageBusinessAttributes: 'MANAGE_BUSINESS_ATTRIBUTE',
  createBusinessAttributes: 'CREATE_BUSINESS_ATTRIBUTE',
};

/** The name in capitals under which clients ask for a privilege of the service. */
const nameInCapitals = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** What the role allows, as far as policies leave it. */
function allowsService(principal: Principal, name: string): boolean {
  if (!allowed(principal, PLATFORM_PRIVILEGES[name as keyof typeof PLATFORM_PRIVILEGES])) return false;
  const asked = OTHER_NAMES[name] ?? nameInCapitals(name);
  const [managed, created] = [KINDS_MANAGED[asked], KINDS_CREATED[asked]];
  if (created !== undefined) return createsKinds(principal.access, created);
  return managed === undefined || managesKinds(principal.access, managed);
}

/** Who is calling, and what they may do. */
@Resolver()
export class PrivilegesResolver {
  @Query(() => AuthenticatedUser, { nullable: true, description: 'Who is calling, and what they may do.' })
  me(@CurrentPrincipal() principal: Principal, @Context() context: RequestContext): AuthenticatedUser {
    return {
      corpUser: context.entity(principal.actor),
      platformPrivileges: Object.fromEntries(
        Object.keys(PLATFORM_PRIVILEGES).map((name) => [name, allowsService(principal, name)]),
      ),
    };
  }

  @Query(() => Privileges, {
    nullable: true,
    description:
      'What the role of the token and the policies allow the caller. Of other users nothing is known: roles belong to tokens.',
  })
  async getGrantedPrivileges(
    @CurrentPrincipal() principal: Principal,
    @Context() context: RequestContext,
    @Args('input', { type: () => GetGrantedPrivilegesInput }) input: GetGrantedPrivilegesInput,
  ): Promise<Privileges> {
    if (input.actorUrn !== principal.actor) return { privileges: [] };
    if (!input.resourceSpec) {
      const names = Object.keys(PLATFORM_PRIVILEGES).filter((name) => allowsService(principal, name));
      return { privileges: names.map(nameInCapitals) };
    }
    const urn = toUrn(input.resourceSpec.resourceUrn, '/input/resourceSpec/resourceUrn').text;
    const asked = Object.entries(RESOURCE_PRIVILEGES);
    const meant = asked.map(([name, role]) => [SAME_PRIVILEGE[name] ?? name, role] as const);
    const granted = new Set(await context.allowed(urn, meant));
    return {
      privileges: asked.map(([name]) => name).filter((name) => granted.has(SAME_PRIVILEGE[name] ?? name)),
    };
  }
}

function allowed(principal: Principal, privilege: Privilege): boolean {
  try {
    authorize(principal, privilege);
    return true;
  } catch {
    return false;
  }
}
