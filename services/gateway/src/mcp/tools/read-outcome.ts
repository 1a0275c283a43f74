import type { ToolResult } from '@weft/mcp';
import { field, isJsonObject, listField, objectField, textField, type Json } from '@weft/service-kit/json';
import { getExecution } from '../../handlers/executions/executions';
import { MAX_RESULT, readWindow } from '../bounded-text';
import type { ToolCall } from './tool';

/** Run data beyond this many characters is not parsed: it would take the thread from others. */
export const MAX_PARSED = 2_000_000;

/** The items that the last run of a node has put out; those of its first output that has any. */
const outputOf = (runs: readonly Json[]): readonly Json[] => {
  const outputs = listField(field(runs.at(-1), 'data'), 'main');
  const items = outputs.find((output) => Array.isArray(output) && output.length > 0);
  return Array.isArray(items) ? items : [];
};

/** Items that fit into a result. */
const fitting = (items: readonly Json[]): { readonly output: readonly Json[]; readonly omitted: number } => {
  let size = 0;
  const end = items.findIndex((item) => (size += JSON.stringify(item).length + 1) > MAX_RESULT - 2_000);
  const output = end < 0 ? items : items.slice(0, end);
  return { output, omitted: items.length - output.length };
};

const nextOf = (executionId: string, omitted: number): string | undefined =>
  omitted === 0
    ? undefined
    : `${omitted} items are omitted. Read them with get_execution_data, id ${JSON.stringify(executionId)}.`;

/** Result of a run: the items of its last node, or its error. */
export const readOutcome = async (executionId: string, { call }: ToolCall): Promise<ToolResult> => {
  const { text, hasMore } = await readWindow(await call(getExecution, { id: executionId }), 0, MAX_PARSED);
  if (hasMore) {
    const summary = await call(getExecution, { id: executionId, query: { includeData: false } });
    const data = objectField(JSON.parse((await readWindow(summary, 0, MAX_RESULT)).text), 'data');
    const status = textField(data, 'status');
    const next = 'The run data is too large to show. Read it with get_execution_data, node by node.';
    return { text: JSON.stringify({ executionId, status, next }), isError: status === 'error' };
  }
  const execution = objectField(JSON.parse(text), 'data');
  const status = textField(execution, 'status');
  const result = objectField(objectField(execution, 'data'), 'resultData');
  const lastNode = textField(result, 'lastNodeExecuted');
  if (status === 'error') {
    const error = objectField(result, 'error');
    const node = textField(field(error, 'node'), 'name') ?? lastNode;
    const shown = { reason: textField(error, 'reason'), message: textField(error, 'message')?.slice(0, 4_000), node };
    const next = 'Correct the workflow with update_workflow, or the input, and run it again.';
    return { text: JSON.stringify({ executionId, status, error: shown, next }), isError: true };
  }
  const items = outputOf(listField(objectField(result, 'runData'), lastNode ?? ''));
  const jsons = items.map((item) => (isJsonObject(item) ? (field(item, 'json') ?? null) : item));
  const { output, omitted } = fitting(jsons);
  return { text: JSON.stringify({ executionId, status, lastNode, output, next: nextOf(executionId, omitted) }) };
};
