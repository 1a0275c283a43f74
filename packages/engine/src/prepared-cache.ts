import type { KindTable, WorkflowDefinition } from '@weft/node-catalogue';
import type { PreparedWorkflow } from './prepare-workflow';
import { prepareWorkflow } from './prepare-workflow';

interface Entry {
  readonly workflow: PreparedWorkflow;
  readonly bytes: number;
}

/** Caches prepared workflows by version id; evicts the least recently used first. */
export class PreparedCache {
  readonly #capacity: number;
  readonly #maxBytes: number;
  readonly #kinds: KindTable;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  /**
   * @param capacity maximum number of cached versions.
   * @param maxBytes limit of the bytes of their definitions in all; the version added last is cached whatever its size.
   * @param kinds see `prepareWorkflow`
   */
  constructor(capacity: number, maxBytes: number, kinds: KindTable) {
    this.#capacity = capacity;
    this.#maxBytes = maxBytes;
    this.#kinds = kinds;
  }

  /** Bytes of the cached definitions. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The prepared form of a version, undefined if it is not cached. */
  get(versionId: string): PreparedWorkflow | undefined {
    const found = this.#entries.get(versionId);
    if (found === undefined) return undefined;
    this.#entries.delete(versionId);
    this.#entries.set(versionId, found);
    return found.workflow;
  }

  /**
   * Prepares a version and caches it. Versions never change, so a cached one is not prepared again.
   * @param bytes what its definition has as text
   */
  add(versionId: string, definition: WorkflowDefinition, bytes: number): PreparedWorkflow {
    const known = this.get(versionId);
    if (known !== undefined) return known;
    const workflow = prepareWorkflow(definition, this.#kinds);
    this.#entries.set(versionId, { workflow, bytes });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= this.#capacity && this.#bytes <= this.#maxBytes) break;
      if (oldest === versionId) break;
      this.#entries.delete(oldest);
      this.#bytes -= entry.bytes;
    }
    return workflow;
  }

  /**
   * The versions used last, for claims that need no definition sent again. They remain available for the claim,
   * whatever leaves meanwhile.
   */
  latest(most: number): ReadonlyMap<string, PreparedWorkflow> {
    return new Map([...this.#entries].slice(-most).map(([versionId, { workflow }]) => [versionId, workflow]));
  }
}
