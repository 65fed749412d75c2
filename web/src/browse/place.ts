import type { AndFilterInput } from '../generated.js';

/** A level of the browse paths of a platform, as the address has it. */
export interface BrowsePlace {
  platform?: string | undefined;
  /** What it lies in, from the top: URNs of containers, or names. */
  path?: string[] | undefined;
}

/** Stands before each part of a browse path. */
const SEPARATOR = '␟';

const textsOf = (given: unknown): string[] =>
  Array.isArray(given) ? given.filter((one): one is string => typeof one === 'string' && one !== '') : [];

/** The path that an address names, if it has one. */
export function readPath(given: unknown): string[] | undefined {
  const path = textsOf(given);
  return path.length > 0 ? path : undefined;
}

export function readBrowse({ platform, path }: Record<string, unknown>): BrowsePlace {
  if (typeof platform !== 'string' || !platform.startsWith('urn:li:')) return {};
  return { platform, path: readPath(path) };
}

/** Filters that hold for what lies at a path or below it, beside others. */
export function belowPath(
  path: readonly string[],
  and: NonNullable<AndFilterInput['and']>,
): AndFilterInput[] {
  const value = path.map((part) => SEPARATOR + part).join('');
  return [
    { and: [...and, { field: 'browsePathV2', values: [value] }] },
    { and: [...and, { field: 'browsePathV2', condition: 'START_WITH', values: [value + SEPARATOR] }] },
  ];
}
