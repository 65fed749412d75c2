/** Where a text that people write about an entity is kept. */
export interface TextPlace {
  readonly aspect: string;
  readonly field: string;
  /** The required members of an aspect that does not exist yet. */
  readonly start: Readonly<Record<string, unknown>>;
  /** Whether the aspect says who changed it. */
  readonly stamped?: boolean;
}

/** The aspect with the text; undefined when it has that text already. */
export function withText(
  { field, start, stamped = false }: TextPlace,
  text: string,
  current: Readonly<Record<string, unknown>> | undefined,
  stamp: unknown,
): Record<string, unknown> | undefined {
  if (current?.[field] === text) return undefined;
  const base = current ?? { ...start, ...(stamped && { created: stamp }) };
  return { ...base, ...(stamped && { lastModified: stamp }), [field]: text };
}
