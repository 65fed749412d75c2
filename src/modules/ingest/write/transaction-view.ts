import type { StoredForm, TransactionView } from '../../../catalog/extension/index.js';
import { valueOf, type StoredAspect } from './head.js';
import type { WriteSession } from './write-session.js';

/** What other modules may see of a running transaction. */
export function viewOf(session: WriteSession): TransactionView {
  return {
    entityExists: (urn) => session.exists(urn),
    aspectOf: (urn, aspect) => session.lookUp(urn, aspect),
    aspectsOf: (urns, aspect) => session.valuesOf(urns, aspect),
    heads: async (urns) => {
      const heads = await session.headsOf(urns);
      return new Map(
        heads.map(({ head, changed }) => {
          const { urn, live, removed, sequence, createdAt } = head;
          return [urn, { urn, exists: live, removed, sequence, createdAt, changed }];
        }),
      );
    },
  };
}

/** The stored aspect as clients see it. */
export async function shown(
  form: StoredForm,
  stored: StoredAspect,
  view: TransactionView,
): Promise<StoredAspect> {
  const value = await form.shown(valueOf(stored), view);
  return { ...stored, parsed: value };
}
