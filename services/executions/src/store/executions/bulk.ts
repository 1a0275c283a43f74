import {
  finalError,
  isAnswered,
  isRefusalOfContent,
  isTransient,
  isUnreachable,
  MAX_WRITE_ATTEMPTS,
  storeUnavailable,
  waitAfterAttempt,
} from '@weft/service-kit/mongo';

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

/** Halves that may fail for a condition of the server before the rest is not tried, unless one was stored. */
const MAX_BARREN = 8;

/** Progress of sending the parts of one batch. */
interface Progress {
  stored: boolean;
  failed: number;
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error('The store failed.'));

const ofAll = (rows: readonly unknown[], error: unknown): RowErrors => {
  const cause = toError(error);
  return new Map(rows.map((_, index) => [index, cause]));
};

/**
 * Sends halves of a batch that failed as a whole, so that the row that causes it does not affect the others. If it is a
 * condition of the server, no half is stored, and the rest is not tried.
 */
const sendHalves = async <Row>(rows: readonly Row[], send: SendRows<Row>, progress: Progress): Promise<RowErrors> => {
  const half = Math.ceil(rows.length / 2);
  const first = await sendParts(rows.slice(0, half), send, progress);
  const second = await sendParts(rows.slice(half), send, progress);
  return new Map([...first, ...[...second].map(([index, error]) => [index + half, error] as const)]);
};

/** @throws Unavailable if there is no response */
const trySend = async <Row>(rows: readonly Row[], send: SendRows<Row>): Promise<RowErrors> => {
  try {
    await send(rows);
    return NONE;
  } catch (error) {
    const rowErrors = rowErrorsOf(error);
    if (rowErrors.size > 0) return rowErrors;
    if (isUnreachable(error) && !isAnswered(error)) throw storeUnavailable(error);
    return ofAll(rows, error);
  }
};

const hasFailedWhole = (rows: readonly unknown[], errors: RowErrors): boolean =>
  errors.size === rows.length &&
  new Set(errors.values()).size === 1 &&
  !([...errors.values()][0] instanceof RowRefused);

const sendParts = async <Row>(rows: readonly Row[], send: SendRows<Row>, progress: Progress): Promise<RowErrors> => {
  const errors = await trySend(rows, send);
  if (!hasFailedWhole(rows, errors)) {
    progress.stored = true;
    return errors;
  }
  progress.failed += 1;
  const isBarren = !progress.stored && progress.failed > MAX_BARREN && isUnreachable([...errors.values()][0]);
  return rows.length === 1 || isBarren ? errors : sendHalves(rows, send, progress);
};

/** The error of a row that is not sent again: a refusal of its content, or Unavailable. */
const settled = async (error: Error): Promise<Error> =>
  error instanceof RowRefused && !isRefusalOfContent(error)
    ? storeUnavailable(error)
    : toError(await finalError(error));

/**
 * Sends rows of one unordered batch; retries those with a transient error up to five times. Rows must be safe to
 * repeat.
 * @returns the rows that were not applied. RowRefused: the server refused the content of the row. Unavailable: the
 * server reported another condition.
 * @throws Unavailable if the store cannot be reached.
 */
export const sendRows = async <Row>(rows: readonly Row[], send: SendRows<Row>): Promise<RowErrors> => {
  const failed = new Map<number, Error>();
  let open = rows.map((row, index) => ({ row, index }));
  for (let attempt = 1; open.length > 0; attempt += 1) {
    const sent = open;
    const some = sent.map(({ row }) => row);
    const isLast = attempt === MAX_WRITE_ATTEMPTS;
    let errors = await trySend(some, send);
    if (some.length > 1 && hasFailedWhole(some, errors) && (isLast || !isTransient([...errors.values()][0])))
      errors = await sendHalves(some, send, { stored: false, failed: 0 });
    open = [];
    for (const [position, error] of errors) {
      const entry = sent[position];
      if (entry === undefined) continue;
      if (isTransient(error) && !isLast) open.push(entry);
      else failed.set(entry.index, await settled(error));
    }
    if (open.length > 0) await waitAfterAttempt(attempt);
  }
  return failed;
};
