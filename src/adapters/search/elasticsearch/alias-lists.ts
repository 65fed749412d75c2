/** Longer lists of indices do not fit into the first line of a request, which may have 4096 bytes. */
export const MAX_PATH = 2000;

/** Aliases as lists for paths, as few of them as fit: an index of every entity type does not fit into one. */
export function aliasLists(aliases: Iterable<string>): string[] {
  const lists: string[] = [];
  for (const alias of aliases) {
    const last = lists.at(-1);
    if (last === undefined || last.length + alias.length + 1 > MAX_PATH) lists.push(alias);
    else lists[lists.length - 1] = `${last},${alias}`;
  }
  return lists;
}
