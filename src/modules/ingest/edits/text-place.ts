/** Where a text that people write about an entity is kept. */
export interface TextPlace {
  readonly aspect: string;
  readonly field: string;
  /** What the aspect cannot be without, when it is not there yet. */
  readonly start: Readonly<Record<string, unknown>>;
  /** Whether the aspect says who changed it. */
  readonly stamped?: boolean;
}

/** The aspect with the text in its place; undefined where it stands there already. */
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
