import type { Publish } from './ports';
import { releaseWrite } from './run-writes';
import { storeStep, type Step, type StepPorts } from './store-step';
import type { WriteOutcome } from './write-outcome';

/** One execution given back. */
export interface Release extends Step {
  /** Checkpoints stored before; this is one more. */
  readonly checkpoint: number;
  /** Milliseconds before which nobody is to claim it. */
  readonly delayMs: number;
}

/** Gives an execution back to the queue. @throws Unavailable */
export type ReleaseExecution = (release: Release) => Promise<WriteOutcome>;

/** Gives executions back and tells other runners at once. */
export const createReleaseExecution =
  (ports: StepPorts & { readonly publish: Publish }): ReleaseExecution =>
  async (step) => {
    const outcome = await storeStep(
      step,
      step.checkpoint,
      (progress) => releaseWrite(step.fence, step.checkpoint, progress, new Date(ports.clock()), step.delayMs),
      ports,
    );
    // A fence is released once at most, so this occasion has no other. One that is delayed is published by the
    // sweeper.
    if (outcome === 'applied' && step.delayMs === 0) ports.publish(step.executionId, `back-${step.fence}`);
    return outcome;
  };
