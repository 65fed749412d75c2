import {
  compareTexts,
  displayNameOf,
  type BrowseGroup,
  type BrowseRequest,
  type BrowseResult,
} from '../../../catalog/search/index.js';
import type { DocSet } from './doc-set.js';
import type { IndexFile } from './index-file.js';
import { byUrn } from './ordering.js';
import type { TermReader } from './term-reader.js';

/** One level of the tree: what stands at the path, and what the next parts below it lead to. */
export function browseLevel(
  file: IndexFile,
  terms: TermReader,
  hits: DocSet,
  request: BrowseRequest,
): BrowseResult {
  const { field, separator, path } = request;
  const here = terms.empty();
  const below = terms.empty();
  const groups = new Map<string, { docs: Set<number>; deeper: boolean }>();
  for (const { value, docs } of terms.valuesInOrder(field, false, hits)) {
    const parts = String(value)
      .split(separator)
      .filter((part) => part !== '');
    if (!path.every((part, i) => parts[i] === part)) continue;
    const found = typeof docs === 'number' ? (hits.has(docs) ? [docs] : []) : [...docs.and(hits)];
    if (found.length === 0) continue;
    for (const doc of found) (parts.length === path.length ? here : below).add(doc);
    const name = parts[path.length];
    if (name === undefined) continue;
    let group = groups.get(name);
    if (!group) groups.set(name, (group = { docs: new Set(), deeper: false }));
    for (const doc of found) group.docs.add(doc);
    group.deeper ||= parts.length > path.length + 1;
  }
  const page = byUrn(file, here, request.start + request.count).slice(request.start);
  const entities = [...terms.bodies(page)].map(({ urn, entity, fields }) => ({
    urn,
    entity,
    name: displayNameOf({ urn, fields }),
  }));
  const level: BrowseGroup[] = [...groups].map(([name, { docs, deeper }]) => ({
    name,
    count: docs.size,
    hasSubGroups: deeper,
  }));
  level.sort((a, b) => b.count - a.count || compareTexts(a.name, b.name));
  return { groups: level, entities, totalEntities: here.size, totalBelow: below.or(here).size };
}
