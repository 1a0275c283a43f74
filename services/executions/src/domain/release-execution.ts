import type { Publish } from './ports';
import { releaseWrite } from './run-writes';
import { storeStep, type Step, type StepPorts } from './store-step';
import type { WriteOutcome } from './write-outcome';

/** Release of one execution. */
export interface Release extends Step {
  /** Checkpoints stored before; this is one more. */
  readonly checkpoint: number;
  /** Milliseconds before which nobody is to claim it. */
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
    // A fence is released once at most, so this dedupe id is unique. One that is delayed is published by the
    // sweeper.
    if (outcome === 'applied' && step.delayMs === 0) ports.publish(step.executionId, `back-${step.fence}`);
    return outcome;
  };
