/**
 * The part of WebAssembly's interface that is used here: Node's types leave it out, and the browser's would bring a
 * window with them.
 */
declare namespace WebAssembly {
  /** 64 KiB pages. */
  interface MemoryDescriptor {
    readonly initial: number;
    readonly maximum: number;
  }

  class Memory {
    constructor(descriptor: MemoryDescriptor);
    readonly buffer: ArrayBuffer;
    /** Grows by that many pages. @throws RangeError beyond the maximum. */
    grow(pages: number): number;
  }

  class Module {
    constructor(bytes: Uint8Array);
  }

  type Imports = Record<string, Record<string, unknown>>;
  type Exports = Record<string, unknown>;

  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Exports;
  }
}
