/** The columns of a table as statements name them. */
export type Columns<R extends object> = { readonly [C in keyof R & string]: string };

/**
 * Names the columns of a row class in SQL by hand: the compiler finds each place that names a column which the class does
 * not have.
 * @param alias of the table in the statement; without it the bare names
 */
export function columnsOf<R extends object>(alias?: string): Columns<R> {
  const prefix = alias === undefined ? '' : `${alias}.`;
  return new Proxy({} as Columns<R>, { get: (_, column) => prefix + String(column) });
}
