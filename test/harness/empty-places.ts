/** Places of an answer where an example shows nothing: JSON pointers, each with what is there. */
export function emptyPlaces(value: unknown, path = ''): string[] {
  if (value === null || value === undefined) return [`${path}: nothing`];
  if (Array.isArray(value) && value.length === 0) return [`${path}: an empty list`];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => emptyPlaces(inner, `${path}/${key}`));
}
