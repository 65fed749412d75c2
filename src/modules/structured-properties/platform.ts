import type { TransactionView } from '../../catalog/extension/index.js';
import { tryParseUrn, type Urn } from '../../catalog/urn/index.js';

/** The data platform of an entity: what its aspect says, else what its URN names, directly or through its parent. */
export async function platformOf(urn: Urn, view: TransactionView): Promise<string | undefined> {
  const said = (await view.aspectOf(urn.text, 'dataPlatformInstance'))?.['platform'];
  if (typeof said === 'string') return said;
  const [first] = urn.parts;
  if (first === undefined) return undefined;
  if (first.startsWith('urn:li:dataPlatform:')) return first;
  const parent = tryParseUrn(first);
  if (parent) return platformOf(parent, view);
  return ['chart', 'dashboard', 'dataFlow', 'notebook'].includes(urn.type)
    ? `urn:li:dataPlatform:${first}`
    : undefined;
}
