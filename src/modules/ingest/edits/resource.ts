import { refuse } from '../../../catalog/errors/index.js';

/** The target of a change: an entity, or one column of it. */
export interface Resource {
  readonly urn: string;
  /** Path of a column. */
  readonly column?: string;
  /** JSON pointers of the URN and of the column in the request. */
  readonly at: string;
  readonly columnAt: string;
}

/** How requests name a resource. */
export interface ResourceInput {
  readonly resourceUrn: string;
  readonly subResourceType?: string | null | undefined;
  readonly subResource?: string | null | undefined;
}

/**
 * @param at JSON pointer of `input` in the request.
 * @throws CatalogError PARAMETER_MISSING for a sub-resource without its type, and the reverse.
 */
export function readResource(input: ResourceInput, at: string): Resource {
  const { resourceUrn: urn, subResourceType, subResource } = input;
  const places = { at: `${at}/resourceUrn`, columnAt: `${at}/subResource` };
  const [type, column] = [subResourceType ?? undefined, subResource ?? undefined];
  if (type === undefined && column === undefined) return { urn, ...places };
  if (type === undefined) {
    throw refuse('PARAMETER_MISSING', 'subResource needs a subResourceType', `${at}/subResourceType`);
  }
  if (type !== 'DATASET_FIELD') {
    throw refuse(
      'PARAMETER_INVALID',
      'subResourceType can only be DATASET_FIELD, a column',
      `${at}/subResourceType`,
    );
  }
  if (column === undefined || column === '') {
    throw refuse(
      'PARAMETER_MISSING',
      'subResourceType needs a subResource: the path of a column',
      places.columnAt,
    );
  }
  return { urn, column, ...places };
}

/** @throws CatalogError PARAMETER_INVALID for an empty list, which is a mistake of the client. */
export function refuseEmpty(list: readonly unknown[], at: string): void {
  if (list.length === 0) throw refuse('PARAMETER_INVALID', 'the list must not be empty', at);
}

/** @throws CatalogError PARAMETER_INVALID for a text of nothing but spaces. @param what such as "a name" */
export function refuseBlank(text: string, what: string, at: string): void {
  if (text.trim() === '') throw refuse('PARAMETER_INVALID', `${what} must not be blank`, at);
}
