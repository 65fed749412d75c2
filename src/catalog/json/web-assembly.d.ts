/** What is used here of what Node has, and only the types of browsers declare. */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { initial: number });
    readonly buffer: ArrayBuffer;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, Memory | number>>);
    readonly exports: Record<string, unknown>;
  }
  interface Global {
    readonly value: number;
  }
}
