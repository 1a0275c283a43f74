import type { Publish } from './ports';
import { handBackWrite } from './run-writes';
import { storeStep, type Step, type StepPorts } from './store-step';
import type { Verdict } from './verdict';

/** One execution given back. */
export interface HandBack extends Step {
  /** Checkpoints stored before; this is one more. */
  readonly checkpoint: number;
  /** Milliseconds before which nobody is to claim it. */
  readonly delayMs: number;
}

/** Gives an execution back to the queue. @throws Unavailable */
export type HandBackExecution = (handBack: HandBack) => Promise<Verdict>;

/** Gives executions back and tells other runners at once. */
export const createHandBackExecution =
  (ports: StepPorts & { readonly publish: Publish }): HandBackExecution =>
  async (step) => {
    const verdict = await storeStep(
      step,
      step.checkpoint,
      (progress) => handBackWrite(step.fence, step.checkpoint, progress, new Date(ports.clock()), step.delayMs),
      ports,
    );
    // A fence is handed back once at most, so this occasion has no other. One that is delayed is published by the
    // sweeper.
    if (verdict === 'accepted' && step.delayMs === 0) ports.publish(step.executionId, `back-${step.fence}`);
    return verdict;
  };
