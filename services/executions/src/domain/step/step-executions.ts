import { checkpointWrite, heartbeatWrite, persistWrite, releaseWrite, type Beat } from '../state/run-writes';
import { storeStep, type Step, type StepPorts } from './store-step';
import type { WriteOutcome } from '../state/write-outcome';
import type { Publish, ApplyWrite, Clock, Outcome } from '../state/ports';
import { END_REASONS } from '../state/errors';

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

/** Release of one execution. */
export interface Release extends Step {
  /** Checkpoints stored before; this is one more. */
  readonly checkpoint: number;
  /** Milliseconds before it can be claimed again. */
  readonly delayMs: number;
}

/** Releases an execution to the queue. @throws Unavailable */
export type ReleaseExecution = (release: Release) => Promise<WriteOutcome>;

/** Releases executions and publishes them at once. */
export const createReleaseExecution =
  (ports: StepPorts & { readonly publish: Publish }): ReleaseExecution =>
  async (step) => {
    const outcome = await storeStep(
      step,
      step.checkpoint,
      (progress) => releaseWrite(step.fence, step.checkpoint, progress, new Date(ports.clock()), step.delayMs),
      ports,
    );
    // A fence is released at most once, so this dedupe id is unique. A delayed release is published by the sweeper.
    if (outcome === 'applied' && step.delayMs === 0) ports.publish(step.executionId, `back-${step.fence}`);
    return outcome;
  };

/** Makes an execution durable before its run has side effects. @throws Unavailable */
export type PersistExecution = (executionId: string, fence: number) => Promise<WriteOutcome>;

/** Makes executions durable. */
export const createPersistExecution =
  (apply: ApplyWrite): PersistExecution =>
  async (executionId, fence) =>
    (await apply(executionId, persistWrite(fence))).outcome;

/** Status of a claim; `cancelled`: it was ended externally, and its runner must abort it. */
export type HeartbeatOutcome = 'held' | 'lost' | 'cancelled';

/** Renews the lease of a claim. @throws Unavailable */
export type HeartbeatExecution = (executionId: string, fence: number, beat: Beat) => Promise<HeartbeatOutcome>;

const wasEndedFromOutside = ({ found }: Outcome, fence: number): boolean =>
  found !== undefined &&
  found.fence === fence &&
  (found.state === 'cancelled' || found.reason === END_REASONS.timedOut);

/** Renews leases; batches concurrent renewals. */
export const createHeartbeatExecution =
  (apply: ApplyWrite, clock: Clock, leaseMs: number): HeartbeatExecution =>
  async (executionId, fence, beat) => {
    const outcome = await apply(executionId, heartbeatWrite(fence, new Date(clock()), leaseMs, beat));
    if (outcome.outcome === 'applied' || outcome.outcome === 'duplicate') return 'held';
    return wasEndedFromOutside(outcome, fence) ? 'cancelled' : 'lost';
  };
