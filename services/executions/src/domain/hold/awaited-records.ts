import { createBoundedCache } from '@weft/service-kit/caching';
import { dataBytesOf, type ExecutionRecord } from '../state/execution';
import type { TransitionName } from '../state/execution-state';
import { MAX_EAGER_RUNS } from '../state/limits';
import { meets, operate } from '../state/operate';
import type { ApplyWrite } from '../state/ports';
import { absent, type Write } from '../state/write';

/**
 * Records of runs that are stored and that callers of this replica wait for, as its own writes leave them: who waits
 * for the end of a run gets it from here instead of reading what was just written.
 */
export interface AwaitedRecords {
  /** A run is stored, as running, and a caller of this replica waits for it. */
  readonly keep: (record: ExecutionRecord) => void;
  /** Applies writes, and adds the record that a write has answered or ended, if it is known. */
  readonly apply: (apply: ApplyWrite) => ApplyWrite;
}

/** Writes after which a caller may be answered. All of them demand that the run is running under their fence. */
const ANSWERS: ReadonlySet<TransitionName> = new Set<TransitionName>(['respond', 'succeed', 'fail']);

/**
 * True if the write leaves nothing open that a caller sees. Another replica may have written as well, but under this
 * fence only the runner that holds the run writes; an end demands the number of its checkpoints; and what remains is a
 * response, of which the write demands that there was none, unless it is known.
 */
const isExact = (record: ExecutionRecord, { transition, where }: Write): boolean =>
  ANSWERS.has(transition) && (record.response !== undefined || where['response'] === absent);

/** Bytes of all records together. Those that have no room are read, as are those of other replicas. */
const MAX_BYTES = 16_777_216;

/** The records of one replica, at most {@link MAX_EAGER_RUNS} of them. */
export const createAwaitedRecords = (): AwaitedRecords => {
  const known = createBoundedCache<string, ExecutionRecord>({ maxEntries: MAX_EAGER_RUNS, maxWeight: MAX_BYTES });
  const keep = (record: ExecutionRecord): void => known.set(record._id, record, dataBytesOf(record));
  const written = (executionId: string, write: Write): ExecutionRecord | undefined => {
    const record = known.get(executionId);
    if (record === undefined) return undefined;
    const next = meets(record, write) ? operate(record, write) : undefined;
    if (next?.state === 'running') keep(next);
    else known.delete(executionId);
    return next !== undefined && isExact(record, write) ? next : undefined;
  };
  return {
    keep,
    apply: (apply) => async (executionId, write) => {
      const outcome = await apply(executionId, write);
      if (outcome.outcome !== 'applied') {
        known.delete(executionId);
        return outcome;
      }
      const record = written(executionId, write);
      return record === undefined ? outcome : { ...outcome, record };
    },
  };
};
