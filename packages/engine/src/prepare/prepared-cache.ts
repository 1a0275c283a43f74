import type { WorkflowDefinition } from '@weft/node-catalogue';
import { createBoundedCache, type BoundedCache } from '@weft/service-kit/caching';
import type { PreparedWorkflow } from './prepare-workflow';

/** Heap that a prepared version takes: for each byte of its definition as text, and besides. Both are measured. */
const HEAP_PER_BYTE = 8;
const HEAP_PER_VERSION = 1_024;

/** Prepares a definition with the kinds that it may use. */
export type Prepare = (definition: WorkflowDefinition) => PreparedWorkflow;

/** Caches prepared workflows by version id; evicts the least recently used first. */
export class PreparedCache {
  readonly #prepare: Prepare;
  readonly #cache: BoundedCache<string, PreparedWorkflow>;

  /**
   * @param maxBytes limit of the heap that the cached versions take, as estimated from their definitions; the version
   *   added last is cached whatever its size.
   */
  constructor(maxBytes: number, prepare: Prepare) {
    this.#cache = createBoundedCache({ maxWeight: maxBytes, retainsOversized: true });
    this.#prepare = prepare;
  }

  /** Estimated bytes of heap that the cached versions take. */
  get bytes(): number {
    return this.#cache.weight();
  }

  /** The prepared form of a version, undefined if it is not cached. */
  get(versionId: string): PreparedWorkflow | undefined {
    return this.#cache.get(versionId);
  }

  /**
   * Prepares a version and caches it. Versions never change, so a cached one is not prepared again.
   * @param bytes what its definition has as text
   */
  add(versionId: string, definition: WorkflowDefinition, bytes: number): PreparedWorkflow {
    const known = this.get(versionId);
    if (known !== undefined) return known;
    const workflow = this.#prepare(definition);
    this.#cache.set(versionId, workflow, bytes * HEAP_PER_BYTE + HEAP_PER_VERSION);
    return workflow;
  }

  /**
   * The versions used last, for claims that need no definition sent again. They remain available for the claim,
   * whatever leaves meanwhile.
   */
  latest(most: number): ReadonlyMap<string, PreparedWorkflow> {
    return new Map(this.#cache.newest(most));
  }
}
