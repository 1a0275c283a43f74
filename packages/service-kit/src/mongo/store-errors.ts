import { Unavailable } from '../errors';

const codeOf = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number' ? error.code : undefined;

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** A unique index refused the write. */
export const isDuplicateKey = (error: unknown): boolean => codeOf(error) === 11_000;

/** Passing faults of MongoDB-compatible servers (a deadlock inside, a race for one key): the same write may be sent again. */
export const isTransient = (error: unknown): boolean => {
  const code = codeOf(error);
  return code === 1 || code === 112 || (code !== undefined && code > 16_000_000);
};

const UNREACHABLE_NAME =
  /^Mongo(NetworkError|NetworkTimeoutError|ServerSelectionError|ConnectionPool\w*|WaitQueueTimeoutError|WriteConcernError|NotConnectedError|TopologyClosedError|ExpiredSessionError)$|MongooseServerSelectionError|PoolClearedError|MongoPoolClearedError/;

const UNREACHABLE_CODES: readonly number[] = [6, 7, 89, 91, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436];

/** The error a batch failed with as a whole: the driver wraps it. */
const wrapped = (error: unknown): unknown => (nameOf(error) === 'MongoBulkWriteError' && error instanceof Error && 'errorResponse' in error ? error.errorResponse : undefined);

/** The server cannot be reached or does not answer. */
export const isUnreachable = (error: unknown): boolean =>
  [error, wrapped(error)].some((one) => UNREACHABLE_NAME.test(nameOf(one)) || UNREACHABLE_CODES.includes(codeOf(one) ?? -1));

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
