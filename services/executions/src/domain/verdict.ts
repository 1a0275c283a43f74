import type { ExecutionRecord } from './execution';
import { isEndState, TRANSITIONS, type FencedTransition, type TransitionName } from './execution-state';
import type { Write } from './write';

/**
 * What became of a write. `blocked`: state and claim are as the table demands, but the document would leave its bounds,
 * has an answer already, or another condition failed; the caller looks at the snapshot.
 */
export type Verdict = 'accepted' | 'already' | 'stale' | 'blocked';

/** What is read back of an execution whose write may not have matched. */
export type Snapshot = Pick<
  ExecutionRecord,
  | 'deadlineRenews'
  | 'retentionMs'
  | '_id'
  | 'state'
  | 'fence'
  | 'checkpoint'
  | 'runCount'
  | 'inlineBytes'
  | 'dataBytes'
  | 'mark'
> & {
  readonly hasAnswer: boolean;
  /** Reason of the end, if it ended with an error. */
  readonly reason?: string;
};

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const judgeStep = (write: Write, found: Snapshot, isThere: boolean): Verdict => {
  const number = numberOf(write.update.$set['checkpoint']);
  if (number !== undefined && isThere && found.checkpoint >= number) return 'already';
  return found.state === 'running' && (number === undefined || found.checkpoint === number - 1) ? 'blocked' : 'stale';
};

const judgeEnd = (write: Write, found: Snapshot): Verdict => {
  if (isEndState(found.state)) return found.state === write.update.$set['state'] ? 'already' : 'stale';
  return found.state === 'running' && found.checkpoint === numberOf(write.filter['checkpoint']) ? 'blocked' : 'stale';
};

const isFenced = (transition: TransitionName): transition is FencedTransition =>
  TRANSITIONS[transition].fence === 'demanded';

const judgeFenced = (write: Write, transition: FencedTransition, found: Snapshot): Verdict => {
  switch (transition) {
    case 'heartbeat':
      return found.state === 'running' ? 'already' : 'stale';
    case 'respond':
      return found.hasAnswer ? 'already' : 'stale';
    case 'checkpoint':
      return judgeStep(write, found, found.state === 'running');
    case 'wait':
      return judgeStep(write, found, found.state === 'waiting' || found.state === 'queued');
    case 'place':
      return found.state === 'running' ? 'already' : 'stale';
    case 'hold':
      return found.state === 'queued' ? 'already' : 'stale';
    case 'handBack':
      return judgeStep(write, found, found.state === 'queued');
    case 'succeed':
    case 'fail':
      return judgeEnd(write, found);
    case 'upload':
      return found.state === 'running' ? 'blocked' : 'stale';
    case 'release':
    case 'expire':
    case 'crash':
      return 'stale';
  }
};

/** Tells what became of a write from what the document is now. Undefined: the document is gone. */
export const judge = (write: Write, found: Snapshot | undefined, mark: string): Verdict => {
  if (found === undefined) return 'stale';
  if (found.mark === mark) return 'accepted';
  if (isFenced(write.transition))
    return found.fence === write.filter['fence'] ? judgeFenced(write, write.transition, found) : 'stale';
  return TRANSITIONS[write.transition].from.some((state) => state === found.state) ? 'blocked' : 'stale';
};
