/**
 * Whether a word differs from the wanted one by at most so many letters added, left out, changed, or swapped with their
 * neighbours (no letter touched twice). For one comparison; many words are compared with an automaton.
 */
export function withinEdits(wanted: string, word: string, edits: number): boolean {
  const a = [...wanted];
  const b = [...word];
  if (Math.abs(a.length - b.length) > edits) return false;
  let twoBack: number[] = [];
  let back = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(back[j]! + 1, row[j - 1]! + 1, back[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, twoBack[j - 2]! + 1);
      row.push(cost);
    }
    twoBack = back;
    back = row;
  }
  return back[b.length]! <= edits;
}
