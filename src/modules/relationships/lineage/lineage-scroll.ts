import { refuse } from '../../../catalog/errors/index.js';

/** The page of hits that begins at `start`, and the scroll id of the next one, if there is one. */
export function scrollPage<T>(
  hits: readonly T[],
  start: number,
  count: number,
): { page: T[]; next: string | undefined } {
  const page = hits.slice(start, start + count);
  const end = start + page.length;
  return { page, next: page.length > 0 && end < hits.length ? scrollIdOf(end) : undefined };
}

/** The cursor of the hits from a place on: a walk along lineage is made anew for each page. */
function scrollIdOf(offset: number): string {
  return Buffer.from(`lineage:${offset}`).toString('base64url');
}

/** From which hit on a page begins. @throws CatalogError PARAMETER_INVALID */
export function readScrollId(text: string | null | undefined): number {
  if (text === null || text === undefined || text === '') return 0;
  const offset = /^lineage:(\d{1,9})$/.exec(Buffer.from(text, 'base64url').toString())?.[1];
  if (offset === undefined)
    throw refuse('PARAMETER_INVALID', 'the scroll id belongs to another listing', '/scrollId');
  return Number(offset);
}
