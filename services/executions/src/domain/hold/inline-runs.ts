import type { ExecutionRecord } from '../state/execution';
import { type Begun, type Entry, InMemoryRuns, type InMemoryPorts, type Hold } from './in-memory-runs';
import { meets, operate, snapshotOf } from '../state/operate';
import type { ApplyWrite, ClaimExecutions, ClaimWrites, Outcome } from '../state/ports';
import { isHeldByClaim } from '../state/run-writes';
import type { Write } from '../state/write';
import { judge } from '../state/write-outcome';

/**
 * Stores an accepted execution, at the latest when its time is over.
 * @throws Unavailable
 */
export type BeginExecution = (record: ExecutionRecord, hold: Hold) => Promise<Begun>;

/** Ports of inline runs. */
export interface InlinePorts extends InMemoryPorts {
  readonly apply: ApplyWrite;
  readonly claim: ClaimExecutions;
}

/**
 * Executions of this replica that are not stored yet: a run becomes durable before its first observable effect. Losing
 * them loses nothing, since no caller has a response and they have no side effects.
 */
export interface InlineRuns {
  readonly begin: BeginExecution;
  /** Writes an execution; an in-memory run is inserted as the write leaves it, by one insert instead of two writes. */
  readonly apply: ApplyWrite;
  /** Claims executions; in-memory runs without a write. */
  readonly claim: ClaimExecutions;
  readonly isInMemory: (executionId: string) => boolean;
  /** Reads of executions by id; in-memory runs are stored first. */
  readonly stored: <Result>(read: (executionId: string) => Promise<Result>) => (executionId: string) => Promise<Result>;
  /** Stores all runs, because the process stops. */
  readonly drain: () => Promise<void>;
}

const applyTo = async (entry: Entry, write: Write, inMemory: InMemoryRuns): Promise<Outcome> => {
  const { record } = entry;
  if (meets(record, write)) {
    const isStored = await inMemory.insert(entry, operate(record, write));
    return { outcome: isStored ? 'applied' : 'fenced' };
  }
  const found = snapshotOf(record);
  return { outcome: judge(write, found, ''), found };
};

/** Claims the free in-memory runs, and takes over what an earlier attempt has claimed. */
const claimOne = (entry: Entry, claim: ClaimWrites): ExecutionRecord | undefined => {
  const write = [claim.takeInline, claim.renew].find((one) => one !== undefined && meets(entry.record, one));
  if (write !== undefined) entry.record = operate(entry.record, write);
  return isHeldByClaim(entry.record, claim) ? entry.record : undefined;
};

/** Inline runs over a store. */
export const createInlineRuns = (ports: InlinePorts): InlineRuns => {
  const inMemory = new InMemoryRuns(ports);
  return {
    begin: (record, hold) => inMemory.begin(record, hold),
    apply: async (executionId, write) => {
      const entry = inMemory.get(executionId);
      if (entry === undefined) return ports.apply(executionId, write);
      if (entry.storing === undefined) return applyTo(entry, write, inMemory);
      await entry.storing.catch(() => false);
      return ports.apply(executionId, write);
    },
    claim: async (executionIds, claim) => {
      const taken: ExecutionRecord[] = [];
      const stored: string[] = [];
      for (const id of executionIds) {
        const entry = inMemory.get(id);
        if (entry === undefined || entry.storing !== undefined) {
          stored.push(id);
          continue;
        }
        const record = claimOne(entry, claim);
        if (record !== undefined) taken.push(record);
      }
      if (stored.length === 0) return taken;
      await Promise.all(stored.map((id) => inMemory.store(id)));
      return [...taken, ...(await ports.claim(stored, claim))];
    },
    isInMemory: (executionId) => inMemory.get(executionId) !== undefined,
    stored: (read) => async (executionId) => {
      await inMemory.store(executionId);
      return read(executionId);
    },
    drain: () => inMemory.drain(),
  };
};
