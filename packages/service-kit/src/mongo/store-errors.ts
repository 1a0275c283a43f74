import { setTimeout } from 'node:timers/promises';
import { Unavailable } from '../errors';

const codeOf = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
    ? error.code
    : undefined;

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

const DUPLICATE_KEY = 11_000;

/** True if a unique index refused the write. */
export const isDuplicateKey = (error: unknown): boolean => codeOf(error) === DUPLICATE_KEY;

/**
 * True if a MongoDB-compatible server reports a transient error (an internal deadlock, a race for a key), after which
 * the same write can be repeated.
 */
export const isTransient = (error: unknown): boolean => {
  const code = codeOf(error);
  return code === 1 || code === 112 || (code !== undefined && code > 16_000_000);
};

/**
 * Codes by which a server refuses a write for what it contains. Only these say anything about the document; any other
 * code is a condition of the server, however it names it, and the same write may succeed later.
 */
const REFUSAL_CODES: ReadonlySet<number> = new Set([
  // Values and operators that the server does not accept: BadValue, FailedToParse, TypeMismatch, Overflow (nested too
  // deeply), InvalidBSON, PathNotViable, ConflictingUpdateOperators.
  2,
  9,
  14,
  15,
  22,
  28,
  40,
  // Field names: DollarPrefixedFieldName, EmptyFieldName, DottedFieldName; a change of _id.
  52,
  56,
  57,
  66,
  // Refused by a validator or a unique index.
  121,
  DUPLICATE_KEY,
  // Too large: the document, an index key, the document after an update, its nesting.
  10_334,
  17_280,
  17_419,
  17_420,
  50_840,
]);

/** True if a response of the server refuses the content of the write. It says nothing if the server is unwell. */
export const isRefusalOfContent = (error: unknown): boolean => REFUSAL_CODES.has(codeOf(error) ?? -1);

/** Codes by which a server refuses its client: credentials or privileges. */
const CONFIGURATION_CODES: ReadonlySet<number> = new Set([13, 18, 8_000]);

/** True if the server refuses this client, which a person has to correct. */
export const isMisconfigured = (error: unknown): boolean => CONFIGURATION_CODES.has(codeOf(error) ?? -1);

/** Driver errors raised before anything is sent: the same call would fail again. */
const MISUSE = new RegExp(
  '^Mongo(InvalidArgument|Parse|Compatibility|MissingCredentials|MissingDependency|BatchReExecution|' +
    'CursorExhausted|CursorInUse|TailableCursor|Transaction)Error$',
);

/** Names of errors of the driver and of mongoose. */
const OF_DRIVER = /^(Mongo|PoolCleared)/;

/** Node's codes for a closed stream or socket; such errors name no system call. */
const CLOSED: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ERR_SOCKET_CLOSED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** True for an unwrapped error of a socket or of name resolution. */
const isOfSystem = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || ('code' in error && CLOSED.has(error.code)));

/** Unwraps the error of a whole batch. */
const wrapped = (error: unknown): unknown =>
  nameOf(error) === 'MongoBulkWriteError' && error instanceof Error && 'errorResponse' in error
    ? error.errorResponse
    : undefined;

/** True if it is a response of the server, which has a code. */
const isResponse = (error: unknown): boolean =>
  codeOf(error) !== undefined &&
  (!(error instanceof Error) || /^Mongo(ServerError|WriteConcernError|BulkWriteError)$/.test(error.name));

const judge = (error: unknown): boolean => {
  if (isResponse(error)) return nameOf(error) === 'MongoWriteConcernError' || !isRefusalOfContent(error);
  if (isOfSystem(error)) return true;
  const name = nameOf(error);
  return OF_DRIVER.test(name) && !MISUSE.test(name);
};

/**
 * True if the server is unreachable or unwell: it does not respond, or reports anything but a refusal of the content.
 * Any other driver error leaves the outcome of the call unknown and counts as unreachable, whatever its name, except
 * calls that the driver refused to send.
 */
export const isUnreachable = (error: unknown): boolean => {
  const inner = wrapped(error);
  return inner === undefined ? judge(error) : judge(inner);
};

/** True if the server responded with an error, rather than not at all. */
export const isAnswered = (error: unknown): boolean => {
  const inner = wrapped(error) ?? error;
  return isResponse(inner) && nameOf(inner) !== 'MongoWriteConcernError';
};

/** The error for callers while the store is unwell. */
export const storeUnavailable = (cause: unknown): Unavailable =>
  new Unavailable('The database cannot be reached. Try again.', cause);

/** Maximum attempts of a write with transient errors. */
export const MAX_WRITE_ATTEMPTS = 6;
/** Maximum wait before the second attempt; it doubles with each further one. */
const FIRST_WAIT_MS = 10;

/**
 * Waits before the attempt after the given one (from 1), for a random time: conflicting writes would meet again if all
 * were retried at once. At most 310 ms for all attempts of one write.
 */
export const waitAfterAttempt = (attempt: number): Promise<void> =>
  setTimeout(Math.random() * FIRST_WAIT_MS * 2 ** (attempt - 1));

/** Probes of the open databases of this process: their readiness, and a read. */
const probes = new Set<() => Promise<boolean>>();

/** Adds the probe of an open database. @returns a function that removes it */
export const addProbe = (isReady: () => Promise<boolean>): (() => void) => {
  probes.add(isReady);
  return () => probes.delete(isReady);
};

/** True if every open database of this process answers its probe. */
export const areStoresReady = async (): Promise<boolean> =>
  (await Promise.all([...probes].map((isReady) => isReady()))).every((isReady) => isReady);

/**
 * The error of an operation that will not be repeated: a refusal of its content, or Unavailable. A database that does
 * not answer its probe refuses nothing.
 */
export const finalError = async (error: unknown): Promise<unknown> => {
  if (isUnreachable(error)) return storeUnavailable(error);
  if (codeOf(error) === undefined || isDuplicateKey(error) || (await areStoresReady())) return error;
  return storeUnavailable(error);
};

/**
 * Runs a repeatable operation, up to six times while its error is transient.
 * @throws Unavailable unless the server refuses the content of the operation; any other error unchanged
 */
export const withStore = async <Result>(write: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (!isTransient(error) || attempt === MAX_WRITE_ATTEMPTS) throw await finalError(error);
      await waitAfterAttempt(attempt);
    }
  }
};
