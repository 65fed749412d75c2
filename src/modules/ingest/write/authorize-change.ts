import {
  CREATE,
  DELETE,
  EDIT,
  grants,
  type Access,
  type Principal,
  type Resource,
} from '../../../catalog/auth/index.js';
import type { ChangeProposal } from '../../../catalog/change/index.js';
import { refuse, type CatalogError } from '../../../catalog/errors/index.js';
import type { AspectSpec } from '../../../catalog/model/index.js';
import { absentHead } from './head.js';
import type { ProposalContext } from './proposal-context.js';

/**
 * Aspects that grant privileges are written and deleted by managers only, so that no caller can raise their own; so are
 * credentials for other systems. A key aspect stands for its entity: any writer may create it, and only managers delete
 * it.
 * @throws CatalogError NOT_ALLOWED
 */
export function authorizeManaged(principal: Principal, proposal: ChangeProposal): void {
  const { urn, entity, aspect, changeType, pointer } = proposal;
  if (aspect === entity.key && changeType !== 'DELETE') return;
  refuseManaged(principal, aspect, urn.text, pointer);
}

/** The same for the aspects of an entity that is deleted. */
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
    `${aspect.name} of ${urn} is for managers: to change it, ${principal.actor} needs the privilege "manage"`,
    pointer,
  );
}

/**
 * Authorizes a change by policies. In the context that it returns, an entity that is hidden from the caller looks like
 * one that does not exist.
 * @throws CatalogError NOT_ALLOWED
 */
export async function authorized(context: ProposalContext, access: Access): Promise<ProposalContext> {
  const { head, proposal, resources } = context;
  const resource = await resources.of(proposal, head.live);
  if (!head.live || access.reads(resource)) {
    authorizeChange(context, access, resource);
    return context;
  }
  const hidden = notAllowed(context, editOf(proposal));
  const absent = { ...context, hidden, head: absentHead(head) };
  authorizeChange(absent, access, resources.given(head.urn, proposal.entity));
  return absent;
}

/**
 * Authorizes a change by the state of the entity before the submission. A new entity is judged by the values that the
 * submission gives it.
 * @throws CatalogError NOT_ALLOWED
 */
function authorizeChange(context: ProposalContext, access: Access, resource: Resource): void {
  const { head, proposal, resources } = context;
  const { aspect, entity, changeType, urn } = proposal;
  const deletesEntity = changeType === 'DELETE' && aspect === entity.key;
  const privilege = deletesEntity ? DELETE : editOf(proposal);
  const makes = !deletesEntity && (!head.live || resources.isNew(urn.text));
  if (makes ? access.creates(privilege, resource) : access.allows(privilege, resource)) return;
  throw notAllowed(context, makes && !access.allows(CREATE, resource) ? CREATE : privilege);
}

const editOf = ({ aspect, entity }: ChangeProposal): string =>
  aspect === entity.key ? EDIT : (aspect.editPrivilege ?? EDIT);

function notAllowed({ submission, proposal }: ProposalContext, privilege: string): CatalogError {
  const { urn, pointer } = proposal;
  const message = `no policy allows ${submission.principal.actor} "${privilege}" on ${urn.text}, or one denies it`;
  return refuse('NOT_ALLOWED', message, pointer);
}
