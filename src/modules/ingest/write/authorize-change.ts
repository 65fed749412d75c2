import { grants, Resource, type Access, type Principal } from '../../../catalog/auth/index.js';
import type { ChangeProposal } from '../../../catalog/change/index.js';
import { refuse, type CatalogError } from '../../../catalog/errors/index.js';
import type { AspectSpec, EntitySpec, Model } from '../../../catalog/model/index.js';
import { absentHead } from './head.js';
import type { ProposalContext } from './proposal-context.js';
import { givenAspects } from './submission.js';
import type { UnitOfWork } from './unit-of-work.js';

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
 * The context of a change that policies allow, with what the caller may know of the entity: one that is hidden is as one that does
 * not exist.
 * @throws CatalogError NOT_ALLOWED
 */
export async function authorized(context: ProposalContext, access: Access): Promise<ProposalContext> {
  const { head, proposal, resources, work } = context;
  const { text } = proposal.urn;
  let resource = resources.get(text);
  if (resource === undefined) {
    resource = head.live ? await storedResource(work, proposal.entity, text, access) : newResource(context);
    resources.set(text, resource);
  }
  if (!head.live || access.reads(resource)) {
    authorizeChange(context, access, resource);
    return context;
  }
  const absent = { ...context, hidden: true, head: absentHead(head) };
  authorizeChange(absent, access, newResource(context));
  return absent;
}

/** Whether an entity exists, as far as the caller may know. */
export async function existsFor(
  { work, submission, resources }: ProposalContext,
  urn: string,
  model: Model,
): Promise<boolean> {
  const { access } = submission.principal;
  if (!(await work.exists(urn))) return false;
  const entity = model.entities.get(work.known(urn)?.type ?? '');
  if (access === undefined || entity === undefined) return true;
  let resource = resources.get(urn);
  if (resource === undefined)
    resources.set(urn, (resource = await storedResource(work, entity, urn, access)));
  return access.reads(resource);
}

/**
 * Whether policies allow the change, judged by what the entity is before the submission; a new one by what the submission
 * gives it.
 * @throws CatalogError NOT_ALLOWED
 */
function authorizeChange(context: ProposalContext, access: Access, resource: Resource): void {
  const { head, proposal } = context;
  const { aspect, entity, changeType } = proposal;
  const deletesEntity = changeType === 'DELETE' && aspect === entity.key;
  const privilege = deletesEntity ? 'DELETE_ENTITY' : editOf(proposal);
  const asked = head.live || deletesEntity ? [privilege] : ['CREATE_ENTITY', privilege];
  const missing = asked.find((name) => !access.allows(name, resource));
  if (missing !== undefined) throw notAllowed(context, missing);
}

/**
 * A write of what the caller may not read goes the way of one to an entity that does not exist, and ends where it would make
 * the entity.
 * @throws CatalogError NOT_ALLOWED
 */
export function refuseHidden(context: ProposalContext): void {
  if (context.hidden) throw notAllowed(context, editOf(context.proposal));
}

const editOf = ({ aspect, entity }: ChangeProposal): string =>
  aspect === entity.key ? EDIT : (aspect.editPrivilege ?? EDIT);

function notAllowed({ submission, proposal }: ProposalContext, privilege: string): CatalogError {
  const { urn, pointer } = proposal;
  const message = `no policy allows ${submission.principal.actor} "${privilege}" on ${urn.text}, or one denies it`;
  return refuse('NOT_ALLOWED', message, pointer);
}

/** An entity that stands there as policies look at it. */
async function storedResource(
  work: UnitOfWork,
  entity: EntitySpec,
  urn: string,
  access: Access,
): Promise<Resource> {
  const values = new Map<string, Record<string, unknown> | undefined>();
  for (const name of access.aspects) if (entity.has(name)) values.set(name, await work.lookUp(urn, name));
  return new Resource(urn, entity.name, (name) => values.get(name));
}

/** A new entity as policies look at it: as what the submission gives it. */
function newResource({ proposal, submission }: ProposalContext): Resource {
  const { urn, entity } = proposal;
  const given = givenAspects(submission, urn.text);
  return new Resource(urn.text, entity.name, (name) => {
    const first = given.get(name);
    const isWhole = first !== undefined && first.changeType !== 'DELETE' && first.changeType !== 'PATCH';
    return isWhole ? (first.value as Record<string, unknown> | undefined) : undefined;
  });
}
