import type { ExecutionRecord } from './execution';
import { isEndState, TRANSITIONS, type FencedTransition, type TransitionName } from './execution-state';
import type { Write } from './write';

/**
 * Outcome of a write. `blocked`: state and claim match, but the document would exceed its limits, has a response
 * already, or another condition failed; the caller reads the snapshot.
 */
export type WriteOutcome = 'applied' | 'duplicate' | 'fenced' | 'blocked';

/** Fields read back of an execution whose write may not have matched. */
export type Snapshot = Pick<
  ExecutionRecord,
  | 'deadlineRenews'
  | 'retentionMs'
  | 'versionId'
  | 'failedRun'
  | '_id'
  | 'state'
  | 'fence'
  | 'checkpoint'
  | 'nodeRunCount'
  | 'inlineBytes'
  | 'dataBytes'
  | 'batchId'
> & {
  readonly hasResponse: boolean;
  /** Reason of the end, if it ended with an error. */
  readonly reason?: string;
};

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const judgeStep = (write: Write, found: Snapshot, isThere: boolean): WriteOutcome => {
  const number = numberOf(write.changes.set['checkpoint']);
  if (number !== undefined && isThere && found.checkpoint >= number) return 'duplicate';
  return found.state === 'running' && (number === undefined || found.checkpoint === number - 1) ? 'blocked' : 'fenced';
};

const judgeEnd = (write: Write, found: Snapshot): WriteOutcome => {
  if (isEndState(found.state)) return found.state === write.changes.set['state'] ? 'duplicate' : 'fenced';
  return found.state === 'running' && found.checkpoint === numberOf(write.where['checkpoint']) ? 'blocked' : 'fenced';
};

const isFenced = (transition: TransitionName): transition is FencedTransition =>
  TRANSITIONS[transition].fence === 'demanded';

const judgeFenced = (write: Write, transition: FencedTransition, found: Snapshot): WriteOutcome => {
  switch (transition) {
    case 'heartbeat':
    case 'persist':
      return found.state === 'running' ? 'duplicate' : 'fenced';
    case 'respond':
      return found.hasResponse ? 'duplicate' : 'fenced';
    case 'checkpoint':
      return judgeStep(write, found, found.state === 'running');
    case 'wait':
      return judgeStep(write, found, found.state === 'waiting' || found.state === 'queued');
    case 'assignSlot':
      return found.state === 'running' ? 'duplicate' : 'fenced';
    case 'awaitSlot':
      return found.state === 'queued' ? 'duplicate' : 'fenced';
    case 'release':
      return judgeStep(write, found, found.state === 'queued');
    case 'succeed':
    case 'fail':
      return judgeEnd(write, found);
    case 'upload':
      return found.state === 'running' ? 'blocked' : 'fenced';
    case 'unclaim':
    case 'expire':
    case 'crash':
      return 'fenced';
  }
};

/** Decides the outcome of a write from the current document. Undefined: the document was deleted. */
export const judge = (write: Write, found: Snapshot | undefined, batchId: string): WriteOutcome => {
  if (found === undefined) return 'fenced';
  if (found.batchId === batchId) return 'applied';
  if (isFenced(write.transition))
    return found.fence === write.where['fence'] ? judgeFenced(write, write.transition, found) : 'fenced';
  return TRANSITIONS[write.transition].from.some((state) => state === found.state) ? 'blocked' : 'fenced';
};
