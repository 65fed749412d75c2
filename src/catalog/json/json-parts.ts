/** Objects and lists that become text in one go. */
const TOGETHER = 500;

/** Texts that make up the JSON of plain data: small values in one, large ones taken apart. */
export function* jsonParts(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || sizeOf(value, TOGETHER) <= TOGETHER) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const list = Array.isArray(value);
  let before = list ? '[' : '{';
  for (const [name, member] of list ? value.entries() : Object.entries(value)) {
    if (member === undefined && !list) continue;
    yield list ? before : `${before}${JSON.stringify(name)}:`;
    before = ',';
    yield* jsonParts(member);
  }
  yield list ? ']' : '}';
}

/** How many objects and lists there are in a value, itself included; counts no further than a little beyond `enough`. */
function sizeOf(value: object, enough: number): number {
  let count = 1;
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) count += sizeOf(member as object, enough - count);
    if (count > enough) break;
  }
  return count;
}
