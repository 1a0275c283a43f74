import { setTimeout } from 'node:timers/promises';
import { Unavailable } from '../errors';

const codeOf = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
    ? error.code
    : undefined;

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** True if a unique index refused the write. */
export const isDuplicateKey = (error: unknown): boolean => codeOf(error) === 11_000;

/**
 * True if a MongoDB-compatible server reports a transient error (an internal deadlock, a race for a key), after which
 * the same write can be repeated.
 */
export const isTransient = (error: unknown): boolean => {
  const code = codeOf(error);
  return code === 1 || code === 112 || (code !== undefined && code > 16_000_000);
};

/**
 * Codes of a server that is temporarily unavailable: shutting down, not the primary, isolated from its peers, or timed
 * out.
 */
const UNAVAILABLE_CODES: ReadonlySet<number> = new Set([
  6, 7, 50, 64, 89, 91, 133, 189, 202, 262, 317, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

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
  if (isResponse(error))
    return nameOf(error) === 'MongoWriteConcernError' || UNAVAILABLE_CODES.has(codeOf(error) ?? -1);
  if (isOfSystem(error)) return true;
  const name = nameOf(error);
  return OF_DRIVER.test(name) && !MISUSE.test(name);
};

/**
 * True if the server is unreachable or does not respond. A response of the server has a code. Any other driver error
 * leaves the outcome of the call unknown and counts as unreachable, whatever its name, except calls that the driver
 * refused to send.
 */
export const isUnreachable = (error: unknown): boolean => {
  const inner = wrapped(error);
  return inner === undefined ? judge(error) : judge(inner);
};

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

/**
 * Runs a repeatable write, up to six times while its error is transient.
 * @throws Unavailable if the store cannot be reached; any other error unchanged
 */
export const withStore = async <Result>(write: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (isUnreachable(error)) throw new Unavailable('The database cannot be reached. Try again.', error);
      if (!isTransient(error) || attempt === MAX_WRITE_ATTEMPTS) throw error;
      await waitAfterAttempt(attempt);
    }
  }
};
