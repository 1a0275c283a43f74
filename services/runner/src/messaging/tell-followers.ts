import { DeltaBatch } from '@weft/proto/events';
import type { FollowedRuns } from '../domain/claims/followed-runs';
import { createRunTexts, type RunTexts } from '../domain/streams/run-texts';

/** Messages to those who follow executions. Lost ones are not repeated. */
export interface TellFollowers {
  /** Notifies the followers of these executions. */
  readonly tellProgressed: (executionIds: readonly string[]) => void;
  /** Sends parts of text of an execution, as a DeltaBatch. */
  readonly tellStreamed: (executionId: string, batch: Uint8Array) => void;
}

/** Streams of the text of followed runs. @param clock monotonic milliseconds */
export const textsFor = (
  { isFollowed }: Pick<FollowedRuns, 'isFollowed'>,
  { tellStreamed }: Pick<TellFollowers, 'tellStreamed'>,
  clock: () => number,
): RunTexts =>
  createRunTexts({
    isFollowed,
    send: (executionId, deltas) => tellStreamed(executionId, DeltaBatch.encode({ deltas: [...deltas] }).finish()),
    clock,
  });
