import { Unavailable } from '../errors';

const codeOf = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
    ? error.code
    : undefined;

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** A unique index refused the write. */
export const isDuplicateKey = (error: unknown): boolean => codeOf(error) === 11_000;

/**
 * Passing faults of MongoDB-compatible servers (a deadlock inside, a race for one key): the same write may be sent
 * again.
 */
export const isTransient = (error: unknown): boolean => {
  const code = codeOf(error);
  return code === 1 || code === 112 || (code !== undefined && code > 16_000_000);
};

/**
 * Answers by which a server says that it cannot serve now: it stops, is not the primary, lost its peers, or ran out of
 * time.
 */
const UNAVAILABLE_CODES: ReadonlySet<number> = new Set([
  6, 7, 50, 64, 89, 91, 133, 189, 202, 262, 317, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/** What the driver refuses by itself before anything is sent: the same call fails in the same way again. */
const MISUSE =
  /^Mongo(InvalidArgument|Parse|Compatibility|MissingCredentials|MissingDependency|BatchReExecution|CursorExhausted|CursorInUse|TailableCursor|Transaction)Error$/;

/** Names of errors that the driver, and mongoose in front of it, make. */
const OF_DRIVER = /^(Mongo|PoolCleared)/;

/** Codes of Node for a stream or socket that is over: such errors name no system call. */
const OVER: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ERR_SOCKET_CLOSED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** Errors of sockets and name look-ups, where they come without a wrapper. */
const isOfSystem = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || ('code' in error && OVER.has(error.code)));

/** The error a batch failed with as a whole: the driver wraps it. */
const wrapped = (error: unknown): unknown =>
  nameOf(error) === 'MongoBulkWriteError' && error instanceof Error && 'errorResponse' in error
    ? error.errorResponse
    : undefined;

/** A server has answered, with a code of its own. */
const isAnswer = (error: unknown): boolean =>
  codeOf(error) !== undefined &&
  (!(error instanceof Error) || /^Mongo(ServerError|WriteConcernError|BulkWriteError)$/.test(error.name));

const judge = (error: unknown): boolean => {
  if (isAnswer(error)) return nameOf(error) === 'MongoWriteConcernError' || UNAVAILABLE_CODES.has(codeOf(error) ?? -1);
  if (isOfSystem(error)) return true;
  const name = nameOf(error);
  return OF_DRIVER.test(name) && !MISUSE.test(name);
};

/**
 * The server cannot be reached or does not answer. An answer of the server is told by its code; any other error of the
 * driver is none, so nobody knows what became of the call: it counts as unavailable, whatever its name. What the driver
 * itself refuses to send is neither.
 */
export const isUnreachable = (error: unknown): boolean => {
  const inner = wrapped(error);
  return inner === undefined ? judge(error) : judge(inner);
};

const TRIES = 3;

/**
 * Runs a write that is safe to repeat, up to three times while the fault is a passing one.
 * @throws Unavailable if the store cannot be reached; any other error as it is.
 */
export const withStore = async <Result>(write: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (isUnreachable(error)) throw new Unavailable('The store cannot be reached now.', error);
      if (!isTransient(error) || attempt === TRIES) throw error;
    }
  }
};
