/** Numbers from 0 to 1 that a seed decides: mulberry32. The same seed and name give the same ones. */
export function randomOf(seed, name = '') {
  let state = [...`${seed} ${name}`].reduce(
    (hash, c) => Math.imul(hash ^ c.charCodeAt(0), 0x01000193),
    0x811c9dc5,
  );
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function shuffled(list, random) {
  return list
    .map((item) => [random(), item])
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
