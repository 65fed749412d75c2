import { createHash } from 'node:crypto';
import { refuse } from '../errors/index.js';
import { DEFAULT_COUNT, MAX_WINDOW } from '../search/search-request.js';
import { duration, flag, integer, shared, text, undocumented, type ValueOf } from './schema.js';

/** What a list says of its parameter `count`. */
export const PAGE_SIZE = `The most entries of one page; more than ${MAX_WINDOW} are lowered to that.`;

/** The bounds of the number of a part of a list, and of how many there are. */
export const SLICE_ID = { maximum: 1023 };
export const SLICE_MAX = { minimum: 1, maximum: 1024 };

/** What every list that is walked page by page takes. */
export const PAGE_PARAMETERS = {
  count: shared('count1', integer(PAGE_SIZE, { minimum: 1, default: DEFAULT_COUNT })),
  scrollId: shared('scrollId', text('The cursor: `scrollId` of the page before.')),
  includeSoftDelete: shared(
    'includeSoftDelete',
    flag('Whether soft-deleted entities are listed too.', false),
  ),
  skipCache: undocumented(
    flag('Taken for older clients: lists are never older than the writes before them.', false),
  ),
  sliceId: shared('sliceId', integer('Which of `sliceMax` parts of the list, from 0.', SLICE_ID)),
  sliceMax: shared(
    'sliceMax',
    integer(
      'How many parts the list is read in. A page of a part may have fewer entries than `count`, or none; read on while there is a `scrollId`.',
      SLICE_MAX,
    ),
  ),
  pitKeepAlive: shared('pitKeepAlive', duration('Without effect: a scroll id does not expire.')),
};

export const SYSTEM_METADATA = shared(
  'systemMetadata',
  flag('Whether to show where each value came from.', false),
);

type PageValues = {
  readonly [N in keyof typeof PAGE_PARAMETERS]?: ValueOf<(typeof PAGE_PARAMETERS)[N]> | undefined;
};

/** One of several parts of a list, by the hash of the URN. */
export interface Slice {
  id: number;
  max: number;
}

/** Which page of a walk. */
export interface PageInput {
  count: number;
  scrollId?: string;
  includeSoftDelete: boolean;
  slice?: Slice;
}

/** @throws CatalogError PARAMETER_INVALID */
export function pageOf(values: PageValues): PageInput {
  const { count = DEFAULT_COUNT, scrollId = '', includeSoftDelete = false } = values;
  const slice = sliceOf(
    { name: 'sliceId', value: values.sliceId },
    { name: 'sliceMax', value: values.sliceMax },
    '/sliceId',
  );
  const size = Math.min(count, MAX_WINDOW);
  return { count: size, ...(scrollId !== '' && { scrollId }), includeSoftDelete, ...(slice && { slice }) };
}

/** A parameter of a slice, by its name in the request. */
interface SlicePart {
  name: string;
  value: number | undefined;
}

/** @throws CatalogError PARAMETER_INVALID */
export function sliceOf(id: SlicePart, max: SlicePart, pointer: string): Slice | undefined {
  if (max.value === undefined && id.value === undefined) return undefined;
  if (max.value === undefined || id.value === undefined || id.value >= max.value)
    throw refuse(
      'PARAMETER_INVALID',
      `${id.name} must be below ${max.name}, and both must be given`,
      pointer,
    );
  return { id: id.value, max: max.value };
}

/** Whether what is listed under a URN is in the part of the list that a page is of. */
export function inSlice(slice: Slice | undefined, urn: string): boolean {
  if (slice === undefined) return true;
  return createHash('sha256').update(urn).digest().readUInt32BE(0) % slice.max === slice.id;
}
