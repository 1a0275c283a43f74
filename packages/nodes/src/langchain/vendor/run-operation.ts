import { type NodeContext, NodeFailure, type NodeResult } from '@weft/engine';
import { textParameter } from '../../shared/read-parameter';
import { runSingleOperation, type SingleOperation } from './single-operation';
import { runTextOperation, type TextOperation } from './text-operation';

/** Runs one operation for all items. */
export type RunOperation = (context: NodeContext) => Promise<NodeResult>;

/** An operation that makes its calls item by item. */
export const single =
  (operation: SingleOperation): RunOperation =>
  (context) =>
    runSingleOperation(context, operation);

/** An operation that asks a model, which may call tools. */
export const conversation =
  (operation: TextOperation): RunOperation =>
  (context) =>
    runTextOperation(context, operation);

/**
 * Runs the operation that the parameters `resource` and `operation` name.
 * @param operations by both, with a space between them
 * @throws NodeFailure for any other
 */
export function runOperation(
  context: NodeContext,
  operations: Readonly<Record<string, RunOperation>>,
): Promise<NodeResult> {
  const name = `${textParameter(context, 'resource', 0)} ${textParameter(context, 'operation', 0)}`;
  const run = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (run === undefined) throw new NodeFailure(`The operation "${name}" is not supported`);
  return run(context);
}
