import type { CheckpointEntry, RunnerServiceService } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import type { Checkpoint, CheckpointExecution } from '../domain/checkpoint-execution';
import { sentNodeRuns } from './node-run-message';
import { checkTokenHash } from './token-hash';
import { checkLength, verdictMessage } from './verdict-message';

const checkpointOf = ({ executionId, fence, checkpoint, nodeRuns, engineState, customDataJson, resumeTokenHash }: CheckpointEntry): Checkpoint => {
  if (checkpoint === 0) throw new InvalidRequest('A checkpoint has no number.', [{ field: 'entries.checkpoint', description: 'Count from 1.' }]);
  return { executionId, fence, checkpoint, nodeRuns: sentNodeRuns(nodeRuns), engineState, customDataJson, tokenHash: checkTokenHash(resumeTokenHash) };
};

/** Checkpoint. */
export const checkpointHandler =
  (checkpoint: CheckpointExecution): Handlers<typeof RunnerServiceService>['checkpoint'] =>
  async ({ entries }) => {
    checkLength(entries, 'entries');
    const verdicts = await Promise.all(entries.map(checkpointOf).map(checkpoint));
    return { verdicts: verdicts.map(verdictMessage) };
  };
