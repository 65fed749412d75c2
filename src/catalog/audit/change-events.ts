import type { AuditEvent, AuditEventType } from './audit-log.js';

/** One change of one aspect that was committed. */
export interface AuditedChange {
  readonly head: { readonly urn: string; readonly type: string };
  readonly aspect: string;
  readonly changeType: string;
  /** Versions; 0 where there is no value. */
  readonly before: number;
  readonly after: number;
  readonly runId: string;
  /** Of the deletion of an entity: the aspects that it had. */
  readonly deleted?: readonly string[];
}

type Verb = 'create' | 'update' | 'delete';

/** Types of entities whose changes have event types of their own. */
const OWN_TYPES: Readonly<Record<string, Readonly<Partial<Record<Verb, AuditEventType>>>>> = {
  corpuser: { create: 'CreateUserEvent', update: 'UpdateUserEvent' },
  dataHubPolicy: { create: 'CreatePolicyEvent', update: 'UpdatePolicyEvent', delete: 'DeletePolicyEvent' },
};

const TYPES: Readonly<Record<Verb, AuditEventType>> = {
  create: 'EntityEvent',
  update: 'UpdateAspectEvent',
  delete: 'DeleteEntityEvent',
};

/**
 * The events of changes: an entity was created or deleted, an aspect was written or deleted.
 * @param keyOf the name of the key aspect of a type of entities
 */
export function changeEvents(
  changes: readonly AuditedChange[],
  keyOf: (entityType: string) => string | undefined,
): AuditEvent[] {
  return changes.map((change) => {
    const { head, aspect, changeType, before, after, runId, deleted } = change;
    const verb = verbOf(change, keyOf(head.type));
    return {
      type: OWN_TYPES[head.type]?.[verb] ?? TYPES[verb],
      urn: head.urn,
      aspect,
      details: {
        changeType,
        ...(before > 0 && { versionBefore: before }),
        ...(after > 0 && { version: after }),
        ...(runId !== '' && { runId }),
        ...(deleted && { deletedAspects: deleted }),
      },
    };
  });
}

function verbOf({ aspect, changeType, before }: AuditedChange, key: string | undefined): Verb {
  if (aspect !== key) return 'update';
  if (changeType === 'DELETE') return 'delete';
  return before === 0 ? 'create' : 'update';
}
