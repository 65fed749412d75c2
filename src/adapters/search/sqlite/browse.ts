import {
  compareTexts,
  displayNameOf,
  type BrowseGroup,
  type BrowseRequest,
  type BrowseResult,
} from '../../../catalog/search/index.js';
import type { DocSet } from './doc-set.js';
import type { IndexConnection } from './index-connection.js';
import { byUrn } from './ordering.js';
import type { Steps } from './steps.js';
import { BODIES, type TermReader } from './term-reader.js';

/** Documents that are put into groups between two steps. */
const DOCS = 2048;

/** One level of the tree: what stands at the path, and what the next parts below it lead to. */
export function* browseLevel(
  file: IndexConnection,
  terms: TermReader,
  hits: DocSet,
  request: BrowseRequest,
): Steps<BrowseResult> {
  const { field, separator, path } = request;
  const here = terms.empty();
  const below = terms.empty();
  const groups = new Map<string, { docs: Set<number>; deeper: boolean }>();
  let seen = 0;
  for (const entry of terms.valuesInOrder(field, false, hits)) {
    if (!entry) {
      yield;
      continue;
    }
    const { value, docs } = entry;
    const parts = String(value)
      .split(separator)
      .filter((part) => part !== '');
    if (!path.every((part, i) => parts[i] === part)) continue;
    const name = parts[path.length];
    let group = name === undefined ? undefined : groups.get(name);
    for (const doc of typeof docs === 'number' ? (hits.has(docs) ? [docs] : []) : docs.and(hits)) {
      if (++seen % DOCS === 0) yield;
      (parts.length === path.length ? here : below).add(doc);
      if (name === undefined) continue;
      if (!group) groups.set(name, (group = { docs: new Set(), deeper: false }));
      group.docs.add(doc);
      group.deeper ||= parts.length > path.length + 1;
    }
  }
  const page = (yield* byUrn(file, terms, here, request.start + request.count)).slice(request.start);
  const entities: BrowseResult['entities'] = [];
  for (const { urn, entity, fields } of terms.bodies(page)) {
    if (entities.push({ urn, entity, name: displayNameOf({ urn, fields }) }) % BODIES === 0) yield;
  }
  const level: BrowseGroup[] = [...groups].map(([name, { docs, deeper }]) => ({
    name,
    count: docs.size,
    hasSubGroups: deeper,
  }));
  level.sort((a, b) => b.count - a.count || compareTexts(a.name, b.name));
  return { groups: level, entities, totalEntities: here.size, totalBelow: below.or(here).size };
}
