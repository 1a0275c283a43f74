import type { Args, Execution, ExecutionEvent } from '@weft/client';
import type { PreviousRun, PreviousRuns, RunPlan, RunTarget, WorkflowDocument } from '@weft/workflow-edit';
import { plural } from '../../../ui/values/format';

type ExecuteBody = NonNullable<Args<'executeWorkflow'>['body']>;

/** An execution whose output may be used again. */
export interface Previous {
  readonly executionId: string;
  readonly run: PreviousRun;
}

/** Summarizes an ended execution; undefined if it ran nothing. @param document the version that ran */
export const previousOf = (
  execution: Execution,
  events: readonly ExecutionEvent[],
  document: WorkflowDocument,
): Previous | undefined => {
  const runs = new Map<string, { status: PreviousRuns['status']; runs: number; filledOutputs: number[] }>();
  let startNode: string | undefined;
  for (const { type, node, status, items = [] } of events) {
    if (type !== 'node.finished' || node === undefined) continue;
    startNode ??= node;
    const known = runs.get(node) ?? { status: 'success', runs: 0, filledOutputs: [] };
    known.status = status === 'error' ? 'error' : 'success';
    known.runs += 1;
    for (const [output, count] of items.entries())
      known.filledOutputs[output] = (known.filledOutputs[output] ?? 0) + (count > 0 ? 1 : 0);
    runs.set(node, known);
  }
  if (startNode === undefined) return undefined;
  const { id, mode, state, usePinData = mode === 'manual' } = execution;
  const run = { definition: document.definition, runs, startNode, hasSucceeded: state === 'success', usePinData };
  return { executionId: id, run };
};

/** The request that makes the service plan the same run. */
export const requestOf = (
  target: RunTarget,
  plan: RunPlan,
  previous: Previous | undefined,
  document: WorkflowDocument,
): ExecuteBody => {
  const definition = document.json;
  const reuseFrom = previous === undefined ? {} : { reuseFrom: previous.executionId };
  const start = plan.startNode === undefined ? {} : { startNode: plan.startNode };
  switch (target.mode) {
    case 'all':
      return { definition, ...start };
    case 'to':
      return plan.reused.length === 0
        ? { definition, destinationNode: target.node, ...start }
        : { definition, destinationNode: target.node, ...reuseFrom };
    case 'from':
      return { definition, startNode: target.node, ...reuseFrom };
    case 'only':
    case 'input':
      return { definition, startNode: target.node, destinationNode: target.node, ...reuseFrom };
  }
};

/** The extent of a run in a few words: `Run 2 nodes, reuse 3`. */
export const planText = ({ run, reused }: RunPlan): string =>
  `Run ${plural(run.length, 'node')}${reused.length === 0 ? '' : `, reuse ${reused.length}`}`;

/** Why a run is not possible; undefined: it is. */
export const obstacleOf = (target: RunTarget, plan: RunPlan, previous: Previous | undefined): string | undefined => {
  if (target.mode === 'from' && previous === undefined) return 'No execution has data for this node yet.';
  if (plan.missing.length > 0) return `No data from ${plan.missing.slice(0, 3).join(', ')}.`;
  if (target.mode === 'all' && plan.startNode === undefined) return 'Add a trigger first.';
  return plan.run.length + plan.pinned.length === 0 ? 'Nothing would run.' : undefined;
};
