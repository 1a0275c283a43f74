import type { WorkflowDefinition } from '@weft/node-catalogue';
import type { PreparedWorkflow } from './prepare-workflow';
import { prepareWorkflow } from './prepare-workflow';

/** Keeps prepared workflows by version id, the least recently used leaving first. */
export class PreparedCache {
  readonly #capacity: number;
  readonly #entries = new Map<string, PreparedWorkflow>();

  /** @param capacity most versions kept at a time. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The prepared form of a version, undefined if it is not kept. */
  get(versionId: string): PreparedWorkflow | undefined {
    const found = this.#entries.get(versionId);
    if (found === undefined) return undefined;
    this.#entries.delete(versionId);
    this.#entries.set(versionId, found);
    return found;
  }

  /** Prepares a version and keeps it. Versions never change, so one that is kept is not prepared again. */
  add(versionId: string, definition: WorkflowDefinition): PreparedWorkflow {
    const prepared = this.get(versionId) ?? prepareWorkflow(definition);
    this.#entries.set(versionId, prepared);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#capacity && oldest !== undefined) this.#entries.delete(oldest);
    return prepared;
  }

  /** Ids of the versions kept, for claims that need no definition sent again. */
  versionIds(): string[] {
    return [...this.#entries.keys()];
  }
}
