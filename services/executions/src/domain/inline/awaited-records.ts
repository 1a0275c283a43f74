import { createBoundedCache } from '@weft/service-kit/caching';
import { dataBytesOf, type ExecutionRecord } from '../state/execution';
import type { TransitionName } from '../state/execution-state';
import { MAX_INLINE_RUNS } from '../state/limits';
import { meets, operate } from '../state/operate';
import type { ApplyWrite } from '../state/ports';
import { absent, type Write } from '../state/write';

/**
 * Stored runs that callers of this replica wait for, as its writes leave them: a caller waiting for the end of a run
 * gets the record from here, which saves a read.
 */
export interface AwaitedRecords {
  /** Adds a running execution that is stored and that a caller of this replica waits for. */
  readonly keep: (record: ExecutionRecord) => void;
  /** Applies writes, and adds the record to a write that stored a response or ended the run, if it is known. */
  readonly apply: (apply: ApplyWrite) => ApplyWrite;
}

/** Writes after which a caller may get a response. All of them require that the run is running under their fence. */
const ANSWERS: ReadonlySet<TransitionName> = new Set<TransitionName>(['respond', 'succeed', 'fail']);

/**
 * True if the write determines everything that a caller sees. Another replica may also have written, but under this
 * fence only the runner that holds the run writes; an end requires the number of its checkpoints; what remains is a
 * response, and the write requires that there was none, unless it is known.
 */
const isExact = (record: ExecutionRecord, { transition, where }: Write): boolean =>
  ANSWERS.has(transition) && (record.response !== undefined || where['response'] === absent);

/** Maximum bytes of all records together. Others are read from the store, like those of other replicas. */
const MAX_BYTES = 16_777_216;

/** The records of one replica, at most {@link MAX_INLINE_RUNS} of them. */
export const createAwaitedRecords = (): AwaitedRecords => {
  const known = createBoundedCache<string, ExecutionRecord>({ maxEntries: MAX_INLINE_RUNS, maxWeight: MAX_BYTES });
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
