import { type FinishedRun, type PreparedWorkflow, type ResultItem, resultWithOrigins } from '@weft/engine';
import type { ClaimedExecution } from '../claims/claimed-execution';
import type { EndedRun } from './end-run';

/** Outcome of a run for its caller. `suspended`: it pauses, continues elsewhere, or was aborted. */
export type RunResult =
  | {
      readonly kind: 'success';
      /** Items of the first output of its last node. */ readonly items: readonly ResultItem[];
    }
  | { readonly kind: 'error'; readonly message: string; /** As in run records. */ readonly name: string }
  | { readonly kind: 'suspended' };

/**
 * Result for the caller of the run. An end that the service refused does not count: the runner that now has the run
 * reports it.
 */
export const resultOf = ({ outcome, written }: EndedRun, items: readonly ResultItem[] = []): RunResult => {
  if (written === undefined || written === 'fenced') return { kind: 'suspended' };
  return outcome.kind === 'error'
    ? { kind: 'error', message: outcome.error.message, name: outcome.error.name }
    : { kind: 'success', items: outcome.kind === 'success' ? items : [] };
};

/** The items that a called run returns to its caller; undefined if it was not called, or did not succeed. */
export const itemsForCaller = (
  { mode }: ClaimedExecution,
  { outcome, records }: FinishedRun,
  workflow: PreparedWorkflow,
): readonly ResultItem[] | undefined => {
  if (mode !== 'integrated' || outcome.kind !== 'success') return undefined;
  const runs = outcome.lastNode === undefined ? [] : (records.get(outcome.lastNode) ?? []);
  return resultWithOrigins(records, returnsAllRuns(workflow) ? runs : runs.slice(-1));
};

/** Whether the trigger for calls returns the items of all runs of the last node, as it does since version 1.2. */
const returnsAllRuns = ({ nodes }: PreparedWorkflow): boolean => {
  for (const { kind, version, definition } of nodes.values())
    if (kind === 'executeWorkflowTrigger' && definition.disabled !== true)
      return version >= 1.2 || definition.parameters['returnOutput'] === 'allRuns';
  return false;
};
