import { type KindDescriptor, toolBaseOf, toolVariantOf } from '@weft/node-catalogue';
import { MadeTable } from './made-table';

/**
 * A table of kinds in which the tools of its kinds are found by name as well: `slackTool` if `slack` is usable as a
 * tool. They are made when they are looked up, and are not listed: `size`, `keys` and iteration are those of the table.
 */
export class ToolTable extends MadeTable<KindDescriptor> {
  constructor(private readonly kinds: ReadonlyMap<string, KindDescriptor>) {
    super();
  }

  get size(): number {
    return this.kinds.size;
  }

  has(kind: string): boolean {
    return this.kinds.has(kind) || this.#variant(kind) !== undefined;
  }

  get(kind: string): KindDescriptor | undefined {
    return this.kinds.get(kind) ?? this.#variant(kind);
  }

  keys(): MapIterator<string> {
    return this.kinds.keys();
  }

  protected all(): Map<string, KindDescriptor> {
    return new Map(this.kinds);
  }

  #variant(kind: string): KindDescriptor | undefined {
    const base = toolBaseOf(kind);
    const descriptor = base === undefined ? undefined : this.kinds.get(base);
    return descriptor === undefined ? undefined : toolVariantOf(descriptor);
  }
}
