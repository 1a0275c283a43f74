import { encodeFrame, type CodeStop, type Frame } from '@weft/sandbox';
import { isObject } from '@weft/service-kit/json';

/**
 * The file descriptor over which a child process uses the pools of its runner: the first after the channel of `fork`.
 */
export const POOLS_DESCRIPTOR = 4;

/** Maximum bytes of input sent with a request. Larger inputs are fetched when there is a process for them. */
export const SMALL_BYTES = 32 * 1024;
/** Maximum bytes of an input: the larger limit of both pools. */
export const MAX_INPUT_BYTES = 64 * 1024 * 1024;
/** Maximum bytes of a message besides its input: the head, which contains the code. */
export const MAX_HEAD_BYTES = 4 * 1024 * 1024;
/** Maximum content of a frame in either direction. */
export const MAX_FRAME_BYTES = MAX_INPUT_BYTES + MAX_HEAD_BYTES + 16;

/** Names of the pools of a runner. */
export type PoolName = 'code' | 'python' | 'formats';

/** Message of a child process about a run in one of the pools. */
export type ToPools =
  /** Begin. `work` is code, or the kind of a task. The bytes are the input if `isHere`. */
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly pool: PoolName;
      readonly owner: string;
      readonly work: string;
      readonly isHere: boolean;
    }
  /** The bytes are the input. */
  | { readonly kind: 'input'; readonly id: number }
  /** The caller has cancelled it. */
  | { readonly kind: 'abort'; readonly id: number };

/** Message of the runner. */
export type FromPools =
  /** There is a process for it: send the input. */
  | { readonly kind: 'fetch'; readonly id: number }
  /** The bytes are its result, unless it was stopped. */
  | { readonly kind: 'answer'; readonly id: number; readonly stopped?: CodeStop; readonly console: readonly string[] };

/** A message with its bytes. */
export interface WithBytes<Message> {
  readonly message: Message;
  readonly bytes: Uint8Array;
}

/** The frame format: four bytes of head length, the head as JSON, and bytes. */
const FRAME_KIND = 1;

const STOPS: Readonly<Record<CodeStop, true>> = {
  time: true,
  memory: true,
  result: true,
  input: true,
  never: true,
  engine: true,
  crash: true,
  busy: true,
  start: true,
  unsealed: true,
  absent: true,
  closed: true,
  aborted: true,
};
const isStop = (value: unknown): value is CodeStop => typeof value === 'string' && Object.hasOwn(STOPS, value);

const isPool = (value: unknown): value is PoolName => value === 'code' || value === 'python' || value === 'formats';

/** Parts of a message, to be written one after the other. */
export const encodeMessage = (message: ToPools | FromPools, bytes: Uint8Array = new Uint8Array()): Uint8Array[] => {
  const head = Buffer.from(JSON.stringify(message));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return encodeFrame(FRAME_KIND, length, head, bytes);
};

const decode = ({ kind, body }: Frame): WithBytes<Readonly<Record<string, unknown>>> => {
  if (kind !== FRAME_KIND || body.length < 4) throw new Error('This is not a message of a pool.');
  const end = 4 + body.readUInt32BE();
  const message: unknown = JSON.parse(body.toString('utf8', 4, end));
  if (!isObject(message)) throw new Error('A message of a pool must have a head.');
  return { message, bytes: body.subarray(end) };
};

/** Parses a message of a child process. @throws Error if it is invalid */
export const readToPools = (frame: Frame): WithBytes<ToPools> => {
  const { message, bytes } = decode(frame);
  const { kind, id, pool, owner, work, isHere } = message;
  if (typeof id === 'number') {
    if (kind === 'input' || kind === 'abort') return { message: { kind, id }, bytes };
    const isComplete = typeof owner === 'string' && typeof work === 'string' && typeof isHere === 'boolean';
    if (kind === 'ask' && isPool(pool) && isComplete)
      return { message: { kind, id, pool, owner, work, isHere }, bytes };
  }
  throw new Error('This is not a message to a pool.');
};

/** Parses a message of the runner. @throws Error if it is invalid */
export const readFromPools = (frame: Frame): WithBytes<FromPools> => {
  const { message, bytes } = decode(frame);
  const { kind, id, stopped, console } = message;
  if (typeof id === 'number') {
    if (kind === 'fetch') return { message: { kind, id }, bytes };
    if (kind === 'answer' && Array.isArray(console) && (stopped === undefined || isStop(stopped))) {
      const lines = console.filter((line) => typeof line === 'string');
      return { message: { kind, id, console: lines, ...(stopped === undefined ? {} : { stopped }) }, bytes };
    }
  }
  throw new Error('This is not a message of a pool.');
};
