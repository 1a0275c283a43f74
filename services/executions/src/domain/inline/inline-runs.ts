import type { SideEffectingVersions } from './side-effecting-versions';
import type { ExecutionRecord } from '../state/execution';
import { isEndState } from '../state/execution-state';
import { type Begun, type Entry, InMemoryRuns, type InMemoryPorts, type InlineOptions } from './in-memory-runs';
import { meets, operate, snapshotOf } from '../state/operate';
import type { ApplyWrite, ClaimExecutions, ClaimWrites, Outcome } from '../state/ports';
import { isHeldByClaim, persistWrite } from '../state/run-writes';
import type { Write } from '../state/write';
import { judge } from '../state/write-outcome';

/**
 * Stores an accepted execution, at the latest when its time is over.
 * @throws Unavailable
 */
export type BeginExecution = (record: ExecutionRecord, options: InlineOptions) => Promise<Begun>;

/** Ports of inline runs. */
export interface InlinePorts extends InMemoryPorts {
  readonly apply: ApplyWrite;
  readonly claim: ClaimExecutions;
  /** Versions whose runs are stored with their claim, which saves the call that announces a side effect. */
  readonly sideEffecting: SideEffectingVersions;
}

/**
 * Executions of this replica that are not stored yet. A run becomes durable before its first observable effect: its
 * end, a response, a side effect, or a read by its id. It also becomes durable when two runners declined it, when its
 * version is known to have side effects, and when the replica stops. Losing the others loses nothing, since no caller
 * has a response and they have no side effects.
 */
export interface InlineRuns {
  readonly begin: BeginExecution;
  /** Writes an execution; an in-memory run is inserted as the write leaves it, by one insert instead of two writes. */
  readonly apply: ApplyWrite;
  /** Claims executions; in-memory runs without a write, unless their version is expected to have side effects. */
  readonly claim: ClaimExecutions;
  readonly isInMemory: (executionId: string) => boolean;
  /** Reads of executions by id; in-memory runs are stored first. */
  readonly stored: <Result>(read: (executionId: string) => Promise<Result>) => (executionId: string) => Promise<Result>;
  /** Stores all runs, because the process stops. */
  readonly drain: () => Promise<void>;
}

const applyTo = async (
  entry: Entry,
  write: Write,
  inMemory: InMemoryRuns,
  sideEffecting: SideEffectingVersions,
): Promise<Outcome> => {
  const { record } = entry;
  if (meets(record, write)) {
    const next = operate(record, write);
    if (write.transition === 'persist') sideEffecting.learn(record.versionId, true);
    else if (isEndState(next.state)) sideEffecting.learn(record.versionId, false);
    const isStored = await inMemory.insert(entry, next);
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

/**
 * Stores a claimed run that is expected to have side effects.
 * @returns false if another execution has its id or its key: then it is not claimed
 * @throws Unavailable: its start has failed with that error, and it may be stored or not
 */
const storeClaimed = (entry: Entry, record: ExecutionRecord, inMemory: InMemoryRuns): Promise<boolean> =>
  inMemory.insert(entry, operate(record, persistWrite(record.fence)));

/** Inline runs over a store. */
export const createInlineRuns = (ports: InlinePorts): InlineRuns => {
  const inMemory = new InMemoryRuns(ports);
  return {
    begin: (record, options) => inMemory.begin(record, options),
    apply: async (executionId, write) => {
      const entry = inMemory.get(executionId);
      if (entry === undefined) return ports.apply(executionId, write);
      if (entry.storing === undefined) return applyTo(entry, write, inMemory, ports.sideEffecting);
      await entry.storing.catch(() => false);
      return ports.apply(executionId, write);
    },
    claim: async (executionIds, claim) => {
      const taken: ExecutionRecord[] = [];
      const stored: string[] = [];
      const storing: Promise<unknown>[] = [];
      for (const id of executionIds) {
        const entry = inMemory.get(id);
        if (entry === undefined || entry.storing !== undefined) {
          stored.push(id);
          continue;
        }
        const record = claimOne(entry, claim);
        if (record === undefined) continue;
        if (!ports.sideEffecting.expects(record.versionId)) taken.push(record);
        else
          storing.push(
            storeClaimed(entry, record, inMemory).then(
              (isStored) => isStored && taken.push(entry.record),
              // The store knows whether this claim has it.
              () => stored.push(id),
            ),
          );
      }
      await Promise.all(storing);
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
