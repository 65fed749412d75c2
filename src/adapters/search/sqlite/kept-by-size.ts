/** Values by key up to so many bytes in all. Those kept longest ago go first; the last one stays, however large it is. */
export class KeptBySize<V> {
  private readonly kept = new Map<string, { value: V; bytes: number }>();
  private bytes = 0;

  /** @param sizeOf bytes of a value, asked for when it is kept; its key counts as well */
  constructor(
    private readonly mostBytes: number,
    private readonly sizeOf: (value: V) => number,
  ) {}

  get(key: string): V | undefined {
    return this.kept.get(key)?.value;
  }

  *values(): Generator<V> {
    for (const { value } of this.kept.values()) yield value;
  }

  /** To be called again when the size of the value has changed, or when it was used. */
  keep(key: string, value: V): void {
    this.drop(key);
    const bytes = 2 * key.length + this.sizeOf(value);
    this.kept.set(key, { value, bytes });
    this.bytes += bytes;
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= this.mostBytes || oldest === key) break;
      this.drop(oldest);
    }
  }

  drop(key: string): void {
    this.bytes -= this.kept.get(key)?.bytes ?? 0;
    this.kept.delete(key);
  }

  clear(): void {
    this.kept.clear();
    this.bytes = 0;
  }
}
