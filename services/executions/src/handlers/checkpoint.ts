import type { CheckpointEntry, RunnerServiceService } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import type { Checkpoint, CheckpointExecution } from '../domain/checkpoint-execution';
import type { ProcessEntries } from './process-entries';
import { fromNodeRunMessages } from './node-run-message';
import { checkTokenHash } from './token-hash';

const fromCheckpointEntry = ({
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
      { field: 'entries.checkpoint', message: 'must be at least 1' },
    ]);
  return {
    executionId,
    fence,
    checkpoint,
    nodeRuns: fromNodeRunMessages(nodeRuns),
    engineState,
    customDataJson,
    tokenHash: checkTokenHash(resumeTokenHash),
  };
};

/** Checkpoint: entry by entry. */
export const checkpointHandler =
  (
    checkpoint: CheckpointExecution,
    processEntries: ProcessEntries,
  ): Handlers<typeof RunnerServiceService>['checkpoint'] =>
  ({ entries }) =>
    processEntries(entries, (entry) => checkpoint(fromCheckpointEntry(entry)));
