import { LIMITS } from '@weft/service-kit/limits';
import { timeOfId } from '../state/id-at';

/** Facts about a node run that events show, so that they can be read without its record. */
export interface RunFacts {
  /** Unix time in milliseconds. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Number of items of each output. */
  readonly outputItems: readonly number[];
  /** Empty if the node did not fail. */
  readonly errorMessage: string;
}

/**
 * The same in a manifest, which thousands of runs share: the start in milliseconds after the time in the id of the
 * execution, which every writer knows.
 */
export type FactsTuple = readonly [
  startMs: number,
  durationMs: number,
  outputItems: readonly number[],
  errorMessage?: string,
];

/** Converts facts for the manifest of an execution, within the limits. */
export const toFactsTuple = (
  executionId: string,
  { startedAtMs, durationMs, outputItems, errorMessage }: RunFacts,
): FactsTuple => {
  const items =
    outputItems.length > LIMITS.eventOutputs.max ? outputItems.slice(0, LIMITS.eventOutputs.max) : outputItems;
  const startMs = startedAtMs - timeOfId(executionId);
  return errorMessage === ''
    ? [startMs, durationMs, items]
    : [startMs, durationMs, items, errorMessage.slice(0, LIMITS.eventErrorMessage.max)];
};

/** Converts the facts in the manifest of an execution. */
export const fromFactsTuple = (
  executionId: string,
  [startMs, durationMs, outputItems, errorMessage = '']: FactsTuple,
): RunFacts => ({ startedAtMs: startMs + timeOfId(executionId), durationMs, outputItems, errorMessage });
