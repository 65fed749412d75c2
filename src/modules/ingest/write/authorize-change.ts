import { grants, Resource, type Access, type Principal } from '../../../catalog/auth/index.js';
import type { ChangeProposal } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import type { AspectSpec } from '../../../catalog/model/index.js';
import type { ProposalContext } from './proposal-context.js';
import { givenAspects } from './submission.js';

/** Lets any aspect be written. */
const EDIT = 'EDIT_ENTITY';

/**
 * What decides who may do what is written and deleted by managers only, so that no caller raises themselves. A key
 * aspect stands for its entity, which anyone who may write can make, and managers delete.
 * @throws CatalogError NOT_ALLOWED
 */
export function authorizeManaged(principal: Principal, proposal: ChangeProposal): void {
  const { urn, entity, aspect, changeType, pointer } = proposal;
  if (aspect === entity.key && changeType !== 'DELETE') return;
  refuseManaged(principal, aspect, urn.text, pointer);
}

/** The same for the aspects that go with an entity that is deleted. */
export function authorizeDeletion(
  { submission, proposal }: ProposalContext,
  deleted: Iterable<string>,
): void {
  for (const name of deleted) {
    const aspect = proposal.entity.aspects.get(name);
    if (aspect?.managed) refuseManaged(submission.principal, aspect, proposal.urn.text, proposal.pointer);
  }
}

function refuseManaged(principal: Principal, aspect: AspectSpec, urn: string, pointer: string): void {
  if (grants(principal.role, 'manage')) return;
  throw refuse(
    'NOT_ALLOWED',
    `${aspect.name} of ${urn} decides who may do what: to change it, ${principal.actor} needs the privilege "manage"`,
    pointer,
  );
}

/**
 * Whether policies allow the change, judged by what the entity is before the submission; a new one by what the submission
 * gives it. The answer is the same whether the entity exists, for callers that may not read it.
 * @param resource {@link resourceOf} the change, before the submission changed it
 * @throws CatalogError NOT_ALLOWED
 */
export function authorizeChange(
  { head, proposal, submission }: ProposalContext,
  access: Access,
  resource: Resource,
): void {
  const { urn, aspect, entity, changeType, pointer } = proposal;
  const deletesEntity = changeType === 'DELETE' && aspect === entity.key;
  const edits = aspect === entity.key ? EDIT : (aspect.editPrivilege ?? EDIT);
  const privilege = deletesEntity ? 'DELETE_ENTITY' : edits;
  const creates = !head.live && !deletesEntity && !access.allows('CREATE_ENTITY', resource);
  if (!creates && access.allows(privilege, resource)) return;
  const missing = creates ? 'CREATE_ENTITY' : privilege;
  throw refuse(
    'NOT_ALLOWED',
    `no policy allows ${submission.principal.actor} "${missing}" on ${urn.text}, or one denies it`,
    pointer,
  );
}

/** The entity of a change as policies look at it, before the submission changes it. */
export async function resourceOf(
  { work, head, proposal, submission }: ProposalContext,
  access: Access,
): Promise<Resource> {
  const { urn, entity } = proposal;
  const values = new Map<string, Record<string, unknown>>();
  const given = head.live ? undefined : givenAspects(submission, urn.text);
  for (const name of access.aspects) {
    if (!entity.has(name)) continue;
    const coming = given?.get(name);
    const value =
      given === undefined
        ? await work.lookUp(urn.text, name)
        : coming?.changeType === 'DELETE' || coming?.changeType === 'PATCH'
          ? undefined
          : (coming?.value as Record<string, unknown> | undefined);
    if (value !== undefined) values.set(name, value);
  }
  return new Resource(urn.text, entity.name, (name) => values.get(name));
}
