import { ServiceError } from '../errors';

/** A bound that every part of the product keeps: who makes something checks it first, who stores it checks it again. */
export interface Limit {
  /** The word by which errors name it. */
  readonly name: string;
  readonly max: number;
  readonly unit: 'bytes' | 'characters' | 'items';
  /** What is counted, as the subject of a sentence. */
  readonly what: string;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * The one table of limits. What lies within a smaller one always fits what contains it: an output fits a run, an answer
 * fits a message, a message is below what the transport takes (16 MiB).
 */
export const LIMITS = {
  nodeOutput: { name: 'NODE_OUTPUT_BYTES', max: 32 * MIB, unit: 'bytes', what: 'The output of the node' },
  nodeRuns: { name: 'NODE_RUNS', max: 10_000, unit: 'items', what: 'The number of node runs of the execution' },
  runData: { name: 'RUN_DATA_BYTES', max: 256 * MIB, unit: 'bytes', what: 'All node runs of the execution' },
  file: { name: 'FILE_BYTES', max: 32 * MIB, unit: 'bytes', what: 'The file' },
  runFiles: { name: 'RUN_FILE_BYTES', max: 256 * MIB, unit: 'bytes', what: 'The files of the run' },
  uploads: { name: 'UPLOADED_BYTES', max: 512 * MIB, unit: 'bytes', what: 'All uploads of the execution' },
  responseHeaders: { name: 'RESPONSE_HEADERS', max: 100, unit: 'items', what: 'The number of headers of the answer' },
  responseHeaderBytes: {
    name: 'RESPONSE_HEADER_BYTES',
    max: 64 * KIB,
    unit: 'bytes',
    what: 'The headers of the answer',
  },
  responseBody: { name: 'RESPONSE_BODY_BYTES', max: 12 * MIB, unit: 'bytes', what: 'The body of the answer' },
  engineState: {
    name: 'ENGINE_STATE_BYTES',
    max: 12 * MIB,
    unit: 'bytes',
    what: 'What the nodes of the run keep between their runs',
  },
  resumeSettings: {
    name: 'RESUME_SETTINGS_BYTES',
    max: 2 * MIB,
    unit: 'bytes',
    what: 'What the run says about the callers it waits for',
  },
  resumeInput: { name: 'RESUME_INPUT_BYTES', max: 4 * MIB, unit: 'bytes', what: 'What wakes the run' },
  childInput: { name: 'CHILD_INPUT_BYTES', max: 12 * MIB, unit: 'bytes', what: 'The items for the sub-workflow' },
  /** Of one entry of a list, with all that belongs to it. */
  entry: { name: 'ENTRY_BYTES', max: 15 * MIB, unit: 'bytes', what: 'What the run has to tell at once' },
  customDataPairs: { name: 'CUSTOM_DATA_PAIRS', max: 10, unit: 'items', what: 'The number of custom data' },
  customDataKey: { name: 'CUSTOM_DATA_KEY', max: 50, unit: 'characters', what: 'The name of custom data' },
  customDataValue: { name: 'CUSTOM_DATA_VALUE', max: 512, unit: 'characters', what: 'The value of custom data' },
  nodeName: { name: 'NODE_NAME', max: 1_000, unit: 'characters', what: 'The name of the node' },
} as const satisfies Readonly<Record<string, Limit>>;

const shown = (value: number, unit: Limit['unit']): string => {
  if (unit === 'items') return String(value);
  if (unit === 'bytes' && value >= MIB) return `${Math.round((value / MIB) * 10) / 10} MB`;
  return `${value} ${unit}`;
};

/** A sentence that says which limit is exceeded, by how much. */
export const limitSentence = ({ name, max, unit, what }: Limit, found: number): string =>
  `${what} ${unit === 'items' ? 'is' : 'has'} ${shown(found, unit)}, and ${shown(max, unit)} is the limit (${name}).`;

/** Something is larger than its limit allows: it will be so however often it is sent. */
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

/** The headers of an HTTP answer as far as limits count them. @throws LimitExceeded */
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
