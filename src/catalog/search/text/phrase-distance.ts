/**
 * Whether the words of a phrase stand near enough to each other, as Lucene counts it: each word may be moved, and the
 * slop is how many moves there may be in all. Of two words the other way round, one moves over the other: two moves.
 * A word that the phrase has twice must be there twice.
 *
 * Said in numbers: a word that stands at `p` and is the i-th of the phrase belongs to a phrase that begins at `p - i`.
 * The words match when these beginnings are at most the slop apart.
 *
 * @param positions where each word of the phrase stands, in order; equal words have equal lists
 */
export function withinSlop(
  parts: readonly string[],
  positions: ReadonlyArray<readonly number[]>,
  slop: number,
): boolean {
  if (positions.some((list) => list.length === 0)) return false;
  const words = Map.groupBy(parts.keys(), (i) => parts[i]!);
  const starts = new Set<number>();
  for (const [i, list] of positions.entries()) for (const at of list) starts.add(at - i);
  // The earliest beginning of a match is that of one of its words.
  return [...starts].some((start) =>
    [...words.values()].every((places) => fit(positions[places[0]!]!, places, start, slop)),
  );
}

/** Whether one word of the phrase, which has it at these places, stands at as many positions near enough. */
function fit(positions: readonly number[], places: readonly number[], start: number, slop: number): boolean {
  let next = lowerBound(positions, start + places[0]!);
  for (const place of places) {
    // The first one that is left is the best: what it may be used for later, a later one may be, too.
    while (next < positions.length && positions[next]! < start + place) next++;
    if (next === positions.length || positions[next]! > start + place + slop) return false;
    next++;
  }
  return true;
}

function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
