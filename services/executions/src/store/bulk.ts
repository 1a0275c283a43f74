import { isTransient, isUnreachable, MAX_WRITE_ATTEMPTS, waitAfterAttempt } from '@weft/service-kit/mongo';
import { Unavailable } from '@weft/service-kit/errors';

/** Rows that the server refused: the error of each by its index. */
export type RowErrors = ReadonlyMap<number, Error>;

const NONE: RowErrors = new Map();

/** A refused row, with the code the server returned. */
export class RowRefused extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
    this.name = 'RowRefused';
  }
}

const DUPLICATE = 11_000;

/** The row was refused because its key is taken. */
export const isDuplicateRow = (error: unknown): boolean => error instanceof RowRefused && error.code === DUPLICATE;

interface ServerRowError {
  readonly index: number;
  readonly code: number;
  readonly errmsg: string;
}

const isServerRowError = (value: unknown): value is ServerRowError =>
  typeof value === 'object' &&
  value !== null &&
  'index' in value &&
  typeof value.index === 'number' &&
  'code' in value &&
  typeof value.code === 'number';

/** mongoose and the driver wrap a row's error in `err`. */
const unwrap = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'err' in value ? value.err : value;

const rowErrorsOf = (error: unknown): RowErrors => {
  if (typeof error !== 'object' || error === null || !('writeErrors' in error)) return NONE;
  const errors: unknown = error.writeErrors;
  const list: readonly unknown[] = Array.isArray(errors) ? errors : [errors];
  return new Map(
    list
      .map(unwrap)
      .filter(isServerRowError)
      .map(({ index, code, errmsg }) => [index, new RowRefused(code, errmsg)]),
  );
};

/** Sends rows, all or some of them, and rejects like the driver: with `writeErrors`, or with one error for all. */
export type SendRows<Row> = (rows: readonly Row[]) => Promise<unknown>;

/**
 * Sends rows of one unordered batch; retries those with a transient error up to five times. Rows must be safe to
 * repeat.
 * @returns the refused rows; the others were applied.
 * @throws Unavailable if the store cannot be reached.
 */
export const sendRows = async <Row>(rows: readonly Row[], send: SendRows<Row>): Promise<RowErrors> => {
  const refused = new Map<number, Error>();
  let open = rows.map((row, index) => ({ row, index }));
  for (let attempt = 1; open.length > 0; attempt += 1) {
    const sent = open;
    const errors = await trySend(
      sent.map(({ row }) => row),
      send,
    );
    open = [];
    for (const [position, error] of errors) {
      const entry = sent[position];
      if (entry === undefined) continue;
      if (isTransient(error) && attempt < MAX_WRITE_ATTEMPTS) open.push(entry);
      else refused.set(entry.index, error);
    }
    if (open.length > 0) await waitAfterAttempt(attempt);
  }
  return refused;
};

/**
 * Sends halves of a batch that failed as a whole for a reason other than the store, so that the failing row does not
 * affect the others.
 */
const sendHalves = async <Row>(rows: readonly Row[], send: SendRows<Row>): Promise<RowErrors> => {
  const half = Math.ceil(rows.length / 2);
  const first = await trySend(rows.slice(0, half), send);
  const second = await trySend(rows.slice(half), send);
  return new Map([...first, ...[...second].map(([index, error]) => [index + half, error] as const)]);
};

const trySend = async <Row>(rows: readonly Row[], send: SendRows<Row>): Promise<RowErrors> => {
  try {
    await send(rows);
    return NONE;
  } catch (error) {
    const rowErrors = rowErrorsOf(error);
    if (rowErrors.size > 0) return rowErrors;
    if (isUnreachable(error)) throw new Unavailable('The database cannot be reached. Try again.', error);
    if (!isTransient(error) && rows.length > 1) return sendHalves(rows, send);
    const cause = error instanceof Error ? error : new Error('The store failed.');
    return new Map(rows.map((_, index) => [index, cause]));
  }
};
