import { checkpointWrite } from './run-writes';
import { storeStep, type Step, type StepPorts } from './store-step';
import type { WriteOutcome } from './write-outcome';

/** The progress of one execution. */
export interface Checkpoint extends Step {
  /** The number of this checkpoint. */
  readonly checkpoint: number;
}

/** Stores a checkpoint. @throws Unavailable */
export type CheckpointExecution = (checkpoint: Checkpoint) => Promise<WriteOutcome>;

/** Stores checkpoints. */
export const createCheckpointExecution =
  (ports: StepPorts): CheckpointExecution =>
  (step) =>
    storeStep(step, step.checkpoint - 1, (progress) => checkpointWrite(step.fence, step.checkpoint, progress), ports);
