import type { AspectCodec, TransactionView } from '../../../catalog/extension/index.js';
import { valueOf, type AspectVersion } from './head.js';
import type { UnitOfWork } from './unit-of-work.js';

/** What other modules may see of a running transaction. */
export function viewOf(work: UnitOfWork): TransactionView {
  return {
    entityExists: (urn) => work.exists(urn),
    aspectOf: (urn, aspect) => work.lookUp(urn, aspect),
    aspectsOf: (urns, aspect) => work.valuesOf(urns, aspect),
    heads: async (urns) => {
      const heads = await work.headsOf(urns);
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
  codec: AspectCodec,
  stored: AspectVersion,
  view: TransactionView,
): Promise<AspectVersion> {
  const value = await codec.shown(valueOf(stored), view);
  return { ...stored, parsed: value };
}
