import type { CheckpointEntry, RunnerServiceService } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import type { Checkpoint, CheckpointExecution } from '../domain/checkpoint-execution';
import type { AnswerEntries } from './answer-entries';
import { sentNodeRuns } from './node-run-message';
import { checkTokenHash } from './token-hash';

const checkpointOf = ({
  executionId,
  fence,
  checkpoint,
  nodeRuns,
  engineState,
  customDataJson,
  resumeTokenHash,
}: CheckpointEntry): Checkpoint => {
  if (checkpoint === 0)
    throw new InvalidRequest('A checkpoint has no number.', [
      { field: 'entries.checkpoint', message: 'Count from 1.' },
    ]);
  return {
    executionId,
    fence,
    checkpoint,
    nodeRuns: sentNodeRuns(nodeRuns),
    engineState,
    customDataJson,
    tokenHash: checkTokenHash(resumeTokenHash),
  };
};

/** Checkpoint: entry by entry. */
export const checkpointHandler =
  (
    checkpoint: CheckpointExecution,
    answerEntries: AnswerEntries,
  ): Handlers<typeof RunnerServiceService>['checkpoint'] =>
  ({ entries }) =>
    answerEntries(entries, (entry) => checkpoint(checkpointOf(entry)));
