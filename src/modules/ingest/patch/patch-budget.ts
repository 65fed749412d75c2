import { refuse } from '../../../catalog/errors/index.js';
import { ITEMS_A_STEP, type Steps } from '../../../catalog/schedule/index.js';

/** Characters of JSON that the `copy` operations of one submission may add; everything else came with its body. */
const MAX_COPIED = 4 * 1024 * 1024;
/** Elements of arrays that the operations of one submission may pass or shift. */
const MAX_WORK = 64 * 1024 * 1024;
/** Characters of the values that the patches of one submission may lead to: each of them may be of a large value. */
const MAX_RESULTS = 64 * 1024 * 1024;
/** Edges of column lineage that the patches of one submission may take apart. */
const MAX_EDGES = 250_000;
/** Arrays and objects inside each other while a patch is applied, where an array with several keys counts for more. */
const MAX_DEPTH = 128;

/** What the patches of one submission may cost, whatever the size of the request. */
export class PatchBudget {
  private copied = 0;
  private worked = 0;
  private resulting = 0;
  private apart = 0;

  /** @throws CatalogError PATCH_TOO_LARGE */
  copy(characters: number): void {
    this.copied += characters;
    if (this.copied <= MAX_COPIED) return;
    const message = `the copy operations of a request may add ${MAX_COPIED} characters, these add ${this.copied} up to here`;
    throw refuse('PATCH_TOO_LARGE', message, '/from');
  }

  /** @throws CatalogError PATCH_TOO_LARGE */
  result(characters: number): void {
    this.resulting += characters;
    if (this.resulting <= MAX_RESULTS) return;
    const message = `the values that the patches of a request lead to may have ${MAX_RESULTS} characters together, these have ${this.resulting} up to here: send fewer of them in one request`;
    throw refuse('PATCH_TOO_LARGE', message, '');
  }

  /** @throws CatalogError PATCH_TOO_LARGE */
  edges(count: number, pointer: string): void {
    this.apart += count;
    if (this.apart <= MAX_EDGES) return;
    const message = `the patches of a request may be of column lineage with ${MAX_EDGES} edges together, each from one column to one, these are of ${this.apart} up to here: write the aspect as a whole`;
    throw refuse('PATCH_TOO_LARGE', message, pointer);
  }

  /** @throws CatalogError PATCH_TOO_LARGE */
  work(elements: number): void {
    this.worked += elements;
    if (this.worked <= MAX_WORK) return;
    const message = `the operations of a request may pass ${MAX_WORK} elements of arrays, these pass ${this.worked} up to here`;
    throw refuse('PATCH_TOO_LARGE', message, '/path');
  }
}

export interface Measure {
  /** Characters of its JSON text, about. */
  size: number;
  /** Arrays and objects inside each other. */
  depth: number;
}

/** @throws CatalogError JSON_TOO_DEEP, before the stack is at its end */
export function* measure(value: unknown, above = 0): Steps<Measure> {
  if (above > MAX_DEPTH) {
    const message = `arrays and objects may be nested ${MAX_DEPTH} deep while a patch is applied, these are deeper`;
    throw refuse('JSON_TOO_DEEP', message, '/path');
  }
  if (typeof value !== 'object' || value === null) return { size: sizeOf(value), depth: 0 };
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  const members = value as Record<string | number, unknown>;
  const count = names?.length ?? (value as unknown[]).length;
  if (names !== undefined && count > ITEMS_A_STEP) yield;
  let size = 2;
  let depth = 0;
  for (let i = 0; i < count; i += 1) {
    if (i % ITEMS_A_STEP === ITEMS_A_STEP - 1) yield;
    const name = names?.[i];
    const member = members[name ?? i];
    size += name === undefined ? 1 : name.length + 4;
    if (typeof member !== 'object' || member === null) size += sizeOf(member);
    else {
      const inner = yield* measure(member, above + 1);
      size += inner.size;
      depth = Math.max(depth, inner.depth);
    }
  }
  return { size, depth: depth + 1 };
}

const sizeOf = (value: unknown): number => (typeof value === 'string' ? value.length + 2 : 4);
