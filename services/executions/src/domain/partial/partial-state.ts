import type { RunPlan } from '@weft/proto/workflows';

/** The version of engine states of runs of some nodes: runners that do not know it never claim them. */
export const PARTIAL_STATE_VERSION = 2;

/**
 * The engine state with which such a run begins, the only one that a runner does not write; packages/engine reads it.
 * @param reusedRuns number of node runs that were copied
 */
export const partialState = (plan: RunPlan, startNode: string, reusedRuns: number): Buffer =>
  Buffer.from(
    JSON.stringify({
      version: PARTIAL_STATE_VERSION,
      executionIndex: reusedRuns,
      ready: plan.hasEntry ? [{ node: startNode, sources: [], start: true }] : [],
      waiting: [],
      memories: {},
      partial: {
        run: [...plan.run, ...plan.pinned],
        replayed: Object.fromEntries(plan.reused.map((node) => [node, 0])),
        entries: Object.fromEntries(plan.pinnedEntries.map((node) => [node, false])),
      },
    }),
  );
