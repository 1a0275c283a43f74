import {
  type ChildResult,
  type Item,
  type NodeContext,
  NodeFailure,
  type ResultItem,
  type WaitRequest,
} from '@weft/engine';
import { calledWorkflow } from './called-workflow';
import type { EarlierCall } from './open-calls';

export interface Call {
  /** The item it is for; 0 for a call with all items. */
  readonly item: number;
  readonly input: readonly Item[];
  /** False: the node continues at once. */
  readonly waitsForEnd: boolean;
  /** Result of the same call before the run waited. */
  readonly earlier: EarlierCall | undefined;
}

/** Makes a call, or finds the result of the same earlier call. @throws NodeFailure if it cannot be made */
export function callChild(context: NodeContext, { item, input, waitsForEnd, earlier }: Call): Promise<ChildResult> {
  if (earlier !== undefined && 'error' in earlier) throw new NodeFailure(earlier.error);
  // A run that is not waited for has no result.
  if (earlier !== undefined && !waitsForEnd)
    return Promise.resolve({ kind: 'started', executionId: earlier.executionId });
  return context.ports.startChild({
    node: context.node.name,
    run: context.runIndex,
    item,
    attempt: context.attempt,
    workflow: calledWorkflow(context, item),
    input,
    waitForEnd: waitsForEnd,
    ...earlier,
  });
}

/** Executions that the record of one node run references. */
const MAX_NAMED = 100;

/** Adds the executions of the calls to the record of the node run. */
export function noteCalls(context: NodeContext, executionIds: readonly string[]): void {
  const [first] = executionIds;
  if (first === undefined) return;
  const rest = executionIds.length === 1 ? {} : { subExecutionIds: executionIds.slice(0, MAX_NAMED) };
  context.note({ subExecution: { executionId: first }, subExecutionsCount: executionIds.length, ...rest });
}

/** True if the run must wait: for the child, or for a free slot for it. */
export function isWaited(result: ChildResult): result is Extract<ChildResult, { kind: 'waiting' | 'later' }> {
  return result.kind === 'waiting' || result.kind === 'later';
}

export function waitRequestOf(result: Extract<ChildResult, { kind: 'waiting' | 'later' }>): WaitRequest {
  return result.kind === 'later'
    ? { kind: 'timer', at: result.at }
    : { kind: 'child', executionId: result.executionId };
}

/**
 * Output of a finished child, without metadata of its run.
 * @throws NodeFailure that references the child if it failed
 */
export function resultItems(result: Exclude<ChildResult, { kind: 'started' | 'waiting' | 'later' }>): ResultItem[] {
  if (result.kind === 'finished')
    return result.items.map(({ json, binary, origin }) => ({
      json,
      ...(binary === undefined ? {} : { binary }),
      ...(origin === undefined ? {} : { origin }),
    }));
  throw new NodeFailure(result.message, {
    description: `The sub-workflow failed in execution ${result.executionId}.`,
    context: { executionId: result.executionId },
    name: result.name ?? 'WorkflowOperationError',
  });
}
