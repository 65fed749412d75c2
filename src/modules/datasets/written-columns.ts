import { simpleColumnPath } from '../../catalog/urn/index.js';

/**
 * The path under which people's words about a column stand, or will stand: its own, or, for a column with types in its path, the
 * path without them where a client wrote under it and no other column has it.
 */
export function writtenPath(
  path: string,
  isWritten: (path: string) => boolean,
  isColumn: (path: string) => boolean,
): string {
  const simple = simpleColumnPath(path);
  return simple !== path && !isWritten(path) && isWritten(simple) && !isColumn(simple) ? simple : path;
}
