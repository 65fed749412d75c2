import { readWriteHeaders, type ChangeProposal, type ProposalOutcome } from '../../catalog/change/index.js';
import type { ErrorCode, ErrorDetail } from '../../catalog/errors/index.js';
import { readJson } from '../../catalog/json/index.js';
import type { EntityNames } from '../entities/index.js';

type Stored = Omit<ChangeProposal, 'entity' | 'urn' | 'aspect'> & {
  entity: string;
  urn: string;
  aspect: string;
  /** Of proposals that the version before this one accepted. */
  headers?: Readonly<Record<string, string>>;
};

/** What a receipt says about one aspect. */
export interface ReceiptItem {
  urn: string;
  aspect: string;
  /** Once carried out: the version that is current since, 0 when it is gone, and whether anything was written. */
  version?: number;
  changed?: boolean;
}

export interface ReceiptOutcome {
  items: ReceiptItem[];
  /** Why it was rejected. */
  error?: { code: ErrorCode; message: string; errors: readonly ErrorDetail[] };
}

/** Proposals as JSON text, with names instead of the parts of the model. */
export function storeProposals(proposals: readonly ChangeProposal[]): string {
  return JSON.stringify(
    proposals.map((proposal): Stored => {
      const { entity, urn, aspect, ...rest } = proposal;
      return { ...rest, entity: entity.name, urn: urn.text, aspect: aspect.name };
    }),
  );
}

/** @throws CatalogError when the model does not have the names any more */
export function restoreProposals(text: string, names: EntityNames): ChangeProposal[] {
  return (readJson(text) as Stored[]).map(({ entity, urn, aspect, headers, ...rest }) => ({
    ...rest,
    ...(headers && readWriteHeaders(headers, rest.pointer)),
    ...names.target(entity, urn, aspect),
  }));
}

/** The aspects of some proposals, each once, in their order. */
export function itemsOf(proposals: readonly ChangeProposal[]): ReceiptItem[] {
  const items = new Map<string, ReceiptItem>();
  for (const { urn, aspect } of proposals)
    items.set(`${urn.text}\n${aspect.name}`, { urn: urn.text, aspect: aspect.name });
  return [...items.values()];
}

/** The last outcome of each aspect. */
export function itemsDone(outcomes: readonly ProposalOutcome[]): ReceiptItem[] {
  const items = new Map<string, ReceiptItem>();
  for (const { urn, aspect, version, changed } of outcomes) {
    const key = `${urn}\n${aspect}`;
    items.set(key, { urn, aspect, version, changed: changed || items.get(key)?.changed === true });
  }
  return [...items.values()];
}
