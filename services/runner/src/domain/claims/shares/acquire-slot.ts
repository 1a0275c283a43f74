import type { ClaimedExecution } from '../claimed-execution';
import { NodeFailure, NodeScope, type PreparedWorkflow, type RunDeps, RunFrame, type RunRequest } from '@weft/engine';
import type { ExecutionStore } from '../held/execution-store';
import { compileParameter, evaluate } from '@weft/expressions';
import type { Reach } from './reach';

/** Maximum length of a key in the executions service. */
const MAX_KEY_LENGTH = 200;

/** A key as a string. An empty value is replaced by the workflow's key. */
const keyOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw new NodeFailure('The concurrency key must be a string, a number or a boolean', {
      description:
        'Change settings.concurrency.key so that it returns one value, for example ={{ $json.body.customer }}.',
    });
  }
  const key = String(value);
  if (key.length > MAX_KEY_LENGTH)
    throw new NodeFailure(`The concurrency key must have at most ${MAX_KEY_LENGTH} characters`, {
      description: 'Change settings.concurrency.key so that it returns a shorter value.',
    });
  return key;
};

/**
 * Evaluates a concurrency key over the input of a run, in the context of its start node.
 * @throws ExpressionError, NodeFailure
 */
export const evaluateKey = (
  stated: string,
  request: RunRequest,
  workflow: PreparedWorkflow,
  startNode: string,
  deps: RunDeps,
): string => {
  const compiled = compileParameter(stated);
  const node = workflow.nodes.get(startNode) ?? [...workflow.nodes.values()][0];
  if (node === undefined) return keyOf(stated);
  const frame = new RunFrame(request, deps);
  const scope = new NodeScope(
    { frame, node, runIndex: 0, sources: [], items: request.input, itemsInput: 0, leadingRuns: new Map() },
    0,
  );
  return keyOf(evaluate(compiled, scope));
};

/**
 * Ensures that a run may run now: acquires a slot if its workflow limits concurrency.
 * @returns false if the claim has ended
 * @throws errors of evaluating the key
 */
export const acquireSlot = async (
  claimed: ClaimedExecution,
  key: () => string,
  reach: Reach,
  store: Pick<ExecutionStore, 'acquireSlot'>,
): Promise<boolean> => claimed.concurrencyKey === undefined || reach(() => store.acquireSlot(claimed, key()));
