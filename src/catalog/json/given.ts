/** What a request gives of an input type, without what it leaves out: null stands for absent. */
export function given<T extends object>(input: T): { [K in keyof T]: Exclude<T[K], null> } {
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== null && value !== undefined),
  ) as never;
}
