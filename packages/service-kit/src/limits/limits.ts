import { ServiceError } from '../errors';

/** A limit, checked by the producer of a value and again by the service that stores it. */
export interface Limit {
  /** Name in errors. */
  readonly name: string;
  readonly max: number;
  readonly unit: 'bytes' | 'characters' | 'items';
  /** The limited value, as the subject of a sentence. */
  readonly what: string;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * All limits. Each is below the limit of its container: an output fits into a run, a response into a message, a message
 * into the 16 MiB of the transport.
 */
export const LIMITS = {
  nodeOutput: { name: 'NODE_OUTPUT_BYTES', max: 32 * MIB, unit: 'bytes', what: 'The output of the node' },
  queryRows: { name: 'QUERY_ROWS', max: 100_000, unit: 'items', what: 'The number of rows of the result' },
  queryResult: { name: 'QUERY_RESULT_BYTES', max: 32 * MIB, unit: 'bytes', what: 'The result of the query' },
  nodeRuns: { name: 'NODE_RUNS', max: 10_000, unit: 'items', what: 'The number of node runs of the execution' },
  modelCalls: { name: 'MODEL_CALLS', max: 200, unit: 'items', what: 'The number of model calls of the execution' },
  toolCalls: { name: 'TOOL_CALLS', max: 500, unit: 'items', what: 'The number of tool calls of the execution' },
  modelTokens: {
    name: 'MODEL_TOKENS',
    max: 500_000,
    unit: 'items',
    what: 'The number of tokens that models of the execution would use',
  },
  agentState: { name: 'AGENT_STATE_BYTES', max: MIB, unit: 'bytes', what: 'The conversation that the node must store' },
  approvalInput: {
    name: 'APPROVAL_INPUT_BYTES',
    max: 16 * KIB,
    unit: 'bytes',
    what: 'The arguments that are shown for an approval',
  },
  runData: { name: 'RUN_DATA_BYTES', max: 256 * MIB, unit: 'bytes', what: 'All node runs of the execution' },
  file: { name: 'FILE_BYTES', max: 32 * MIB, unit: 'bytes', what: 'The file' },
  runFiles: { name: 'RUN_FILE_BYTES', max: 256 * MIB, unit: 'bytes', what: 'The files of the run' },
  uploads: { name: 'UPLOADED_BYTES', max: 512 * MIB, unit: 'bytes', what: 'All uploads of the execution' },
  workflowFiles: { name: 'WORKFLOW_FILES', max: 500, unit: 'items', what: 'The number of files of the workflow' },
  workflowFileBytes: {
    name: 'WORKFLOW_FILE_BYTES',
    max: 128 * MIB,
    unit: 'bytes',
    what: 'The file area of the workflow',
  },
  ownerFileBytes: {
    name: 'OWNER_FILE_BYTES',
    max: 1024 * MIB,
    unit: 'bytes',
    what: 'The file areas of all workflows of the owner',
  },
  workflowFilePath: {
    name: 'WORKFLOW_FILE_PATH',
    max: 500,
    unit: 'characters',
    what: 'The path of the file',
  },
  responseHeaders: { name: 'RESPONSE_HEADERS', max: 100, unit: 'items', what: 'The number of headers of the response' },
  responseHeaderBytes: {
    name: 'RESPONSE_HEADER_BYTES',
    max: 64 * KIB,
    unit: 'bytes',
    what: 'The headers of the response',
  },
  responseBody: { name: 'RESPONSE_BODY_BYTES', max: 12 * MIB, unit: 'bytes', what: 'The body of the response' },
  engineState: {
    name: 'ENGINE_STATE_BYTES',
    max: 12 * MIB,
    unit: 'bytes',
    what: 'The engine state of the execution',
  },
  resumeSettings: {
    name: 'RESUME_SETTINGS_BYTES',
    max: 2 * MIB,
    unit: 'bytes',
    what: 'The settings of the wait',
  },
  resumeInput: {
    name: 'RESUME_INPUT_BYTES',
    max: 4 * MIB,
    unit: 'bytes',
    what: 'The input that resumes the execution',
  },
  childInput: { name: 'CHILD_INPUT_BYTES', max: 12 * MIB, unit: 'bytes', what: 'The items for the sub-workflow' },
  /** One entry of a list, with everything that belongs to it. */
  entry: { name: 'ENTRY_BYTES', max: 15 * MIB, unit: 'bytes', what: 'The report of the execution' },
  customDataPairs: { name: 'CUSTOM_DATA_PAIRS', max: 10, unit: 'items', what: 'The number of custom data' },
  customDataKey: { name: 'CUSTOM_DATA_KEY', max: 50, unit: 'characters', what: 'The name of custom data' },
  customDataValue: { name: 'CUSTOM_DATA_VALUE', max: 512, unit: 'characters', what: 'The value of custom data' },
  /** Origins of longer results are not stored. */
  resultOrigins: {
    name: 'RESULT_ORIGINS',
    max: 10_000,
    unit: 'items',
    what: 'The number of origins of the result of the sub-workflow',
  },
  nodeName: { name: 'NODE_NAME', max: 1_000, unit: 'characters', what: 'The name of the node' },
  /** Events leave out the rest. */
  eventOutputs: {
    name: 'EVENT_OUTPUTS',
    max: 100,
    unit: 'items',
    what: 'The number of outputs of the node in an event',
  },
  /** Events shorten longer ones. */
  eventErrorMessage: {
    name: 'EVENT_ERROR_MESSAGE',
    max: 300,
    unit: 'characters',
    what: 'The error message of the node in an event',
  },
} as const satisfies Readonly<Record<string, Limit>>;

const shown = (value: number, unit: Limit['unit']): string => {
  if (unit === 'items') return String(value);
  if (unit === 'bytes' && value >= MIB) return `${Math.round((value / MIB) * 10) / 10} MB`;
  return `${value} ${unit}`;
};

/** Message with the exceeded limit and the actual value. */
export const limitSentence = ({ name, max, unit, what }: Limit, found: number): string =>
  `${what} ${unit === 'items' ? 'is' : 'has'} ${shown(found, unit)}; the limit is ${shown(max, unit)} (${name}).`;

/** A value exceeds its limit, so retrying does not help. */
export class LimitExceeded extends ServiceError {
  constructor(limit: Limit, found: number) {
    super({
      reason: 'PAYLOAD_TOO_LARGE',
      kind: 'too-large',
      message: limitSentence(limit, found),
      details: { limit: limit.name, max: String(limit.max) },
    });
  }
}

/** @throws LimitExceeded */
export const checkLimit = (limit: Limit, found: number): void => {
  if (found > limit.max) throw new LimitExceeded(limit, found);
};

/** Checks the headers and the body size of an HTTP response. @throws LimitExceeded */
export const checkResponse = (
  headers: readonly { readonly name: string; readonly value: string }[],
  bodyBytes: number,
): void => {
  checkLimit(LIMITS.responseHeaders, headers.length);
  checkLimit(
    LIMITS.responseHeaderBytes,
    headers.reduce((sum, { name, value }) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0),
  );
  checkLimit(LIMITS.responseBody, bodyBytes);
};
