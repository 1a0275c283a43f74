import type { FirstResult, StateEntry, PersistentState } from '@weft/engine';

/** Persistent state of a workflow, in memory, by the rules of the service. */
export interface MemoryState {
  /** The state as nodes access it. */
  readonly state: PersistentState;
  /** JSON strings by name. */
  readonly values: ReadonlyMap<string, string | undefined>;
  /** Outcomes of other executions; one without an entry is still running. */
  readonly firstResults: Map<string, FirstResult>;
  /** Called before each write, so that a test can let another run write first. */
  beforeWrite: (() => Promise<void>) | undefined;
}

export function memoryState(): MemoryState {
  const entries = new Map<string, StateEntry>();
  const values = new Map<string, string | undefined>();
  const operations = new Set<string>();
  const entryOf = (name: string): StateEntry => entries.get(name) ?? { version: 0, valueJson: undefined };
  const kept: MemoryState = {
    values,
    firstResults: new Map(),
    beforeWrite: undefined,
    state: {
      inTurn: (_name, work) => work(),
      firstResult: (executionId) => Promise.resolve(kept.firstResults.get(executionId) ?? 'pending'),
      read: (name) => Promise.resolve(entryOf(name)),
      write: async ({ name, expectedVersion, valueJson, operation }) => {
        const interrupt = kept.beforeWrite;
        kept.beforeWrite = undefined;
        await interrupt?.();
        const entry = entryOf(name);
        const key = `${name}:${operation}`;
        if (operations.has(key)) return { kind: 'repeated', entry };
        if (entry.version !== expectedVersion) return { kind: 'conflict', entry };
        operations.add(key);
        entries.set(name, { version: expectedVersion + 1, valueJson });
        values.set(name, valueJson);
        return { kind: 'written' };
      },
    },
  };
  return kept;
}
