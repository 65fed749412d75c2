/** A TypeORM class that describes a table. */
export type RowClass = new () => object;
