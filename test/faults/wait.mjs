/** Waits until `fact` holds. @throws Error that names `what` when it does not in time */
export async function until(fact, limitMs, what) {
  const deadline = performance.now() + limitMs;
  while (!(await fact())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${limitMs / 1000} seconds`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** What `work` answers. @throws Error when it takes longer */
export async function limited(work, limitMs) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the whole run: not within ${limitMs / 1000} seconds`)),
      limitMs,
    );
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
