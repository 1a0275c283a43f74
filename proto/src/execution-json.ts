import type { Execution, ExecutionStatus } from '../gen/weft/executions/v1/execution_service';
import { MODE_WORDS, STATE_WORDS, STATUS_WORDS } from './execution-words';
import { furtherMembers, objectText, quote, timeText } from './json-text';

/** @throws Error for a value that this release does not know */
const word = <Value>(words: ReadonlyMap<Value, string>, value: Value): string => {
  const found = words.get(value);
  if (found === undefined) throw new Error(`An execution has the unknown value ${String(value)}.`);
  return quote(found);
};

/** The status as JSON text. */
export const statusText = (status: ExecutionStatus): string => word(STATUS_WORDS, status);

/** The version that it runs; empty for a stored webhook call. */
const versionText = ({ versionId }: Execution): string => (versionId === '' ? '' : `,"versionId":${quote(versionId)}`);

/** The calling execution; empty if there is none. */
const parentText = ({ parentExecutionId }: Execution): string =>
  parentExecutionId === undefined ? '' : `,"parentExecutionId":${quote(parentExecutionId)}`;

/** The execution that it retries, and its successful retry; empty if there is none. */
const retryText = ({ retryOf, retrySuccessId }: Execution): string =>
  (retryOf === undefined ? '' : `,"retryOf":${quote(retryOf)}`) +
  (retrySuccessId === undefined ? '' : `,"retrySuccessId":${quote(retrySuccessId)}`);

/** Calls of tools that wait for a person, as a member of an object; empty if no call waits. */
export const approvalsText = ({ approvals }: Pick<Execution, 'approvals'>): string => {
  if (approvals.length === 0) return '';
  const entries = approvals.map(
    ({ run, node, tool, input, requestedAt, expiresAt }) =>
      `{"run":${quote(run)},"node":${quote(node)},"tool":${quote(tool)}` +
      `${input === '' ? '' : `,"input":${objectText(input)}`}` +
      `,"requestedAt":${timeText(requestedAt)},"expiresAt":${timeText(expiresAt)}}`,
  );
  return `,"approvals":[${entries.join(',')}]`;
};

/** The reply that it waits for in its chat, as a member of an object; empty if it waits for none. */
const replyText = ({ reply }: Execution): string => {
  if (reply?.chat === undefined) return '';
  const { messages, since, buttons, blocksText, endsAtMs } = reply.chat;
  const ends = endsAtMs === undefined ? {} : { expiresAt: new Date(endsAtMs).toISOString() };
  return `,"reply":${JSON.stringify({ run: reply.run, messages, since, buttons, blocksText, ...ends })}`;
};

/**
 * Members that lists do not have: calls and replies that wait for a person; for runs of some nodes only, these nodes;
 * and for manual runs, whether pins were used.
 */
export const partText = (execution: Execution): string => {
  const { partial, usePinData } = execution;
  const used = usePinData === undefined ? '' : `,"usePinData":${String(usePinData)}`;
  const pins = `${used}${approvalsText(execution)}${replyText(execution)}`;
  if (partial === undefined) return pins;
  const { destinationNode, reuseFrom, reused } = partial;
  const end = destinationNode === '' ? '' : `"destinationNode":${quote(destinationNode)},`;
  const from = reuseFrom === '' ? '' : `"reuseFrom":${quote(reuseFrom)},`;
  return `${pins},"partial":{${end}${from}"reused":${JSON.stringify(reused)}}`;
};

/** The custom metadata of the run; empty if there is none. */
const customText = ({ customDataJson }: Execution): string =>
  customDataJson === undefined ? '' : `,"customData":${objectText(customDataJson)}`;

/** Calls and tokens of models; empty if it called none. */
const usageText = ({ modelUsage }: Execution): string => {
  if (modelUsage === undefined) return '';
  const { calls, inputTokens, outputTokens, totalTokens, cost, unpricedModels } = modelUsage;
  const priced = cost === undefined ? '' : `,"cost":${JSON.stringify(cost)}`;
  const unpriced = unpricedModels.length === 0 ? '' : `,"unpricedModels":${JSON.stringify(unpricedModels)}`;
  return (
    `,"modelUsage":{"calls":${calls},"inputTokens":${inputTokens},"outputTokens":${outputTokens},` +
    `"totalTokens":${totalTokens}${priced}${unpriced}}`
  );
};

/**
 * All fields before `data`, as the beginning of an object's JSON text. A run waiting for a runner counts as started
 * when it was accepted.
 */
export const headText = (execution: Execution): string =>
  `{"id":${quote(execution.id)},"workflowId":${quote(execution.workflowId)},` +
  `"mode":${word(MODE_WORDS, execution.mode)},` +
  `"startedAt":${timeText(execution.startedAt ?? execution.createdAt)},` +
  `"finishedAt":${timeText(execution.finishedAt)},` +
  `"status":${statusText(execution.status)},"state":${word(STATE_WORDS, execution.state)}` +
  `${versionText(execution)}${parentText(execution)}${retryText(execution)}` +
  `${customText(execution)}${usageText(execution)}`;

const errorText = ({ error }: Execution): string => {
  if (error === undefined) return '';
  const { reason, message, node, errorJson } = error;
  // The error in run data has a different message; the reason adds what the four statuses of the contract cannot
  // express.
  const own = objectText(errorJson);
  const head =
    own === '{}'
      ? `"message":${quote(message)}${node === '' ? '' : `,"node":{"name":${quote(node)}}`}`
      : furtherMembers(own).slice(1);
  return `,"error":{"reason":${quote(reason)},${head}}`;
};

/** The summary in `data` of lists: the last node and the error, in the same places as in the full data. */
export const summaryText = (execution: Execution): string => {
  const last = execution.lastNode === '' ? 'null' : quote(execution.lastNode);
  return `{"resultData":{"lastNodeExecuted":${last}${errorText(execution)}}}`;
};

/** An execution as lists and notifications show it, with the summary in `data`. */
export const entryText = (execution: Execution): string => `${headText(execution)},"data":${summaryText(execution)}}`;
