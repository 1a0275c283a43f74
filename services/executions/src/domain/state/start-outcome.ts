import {
  HAS_STARTED,
  isRetryable,
  NOT_STARTED,
  PERHAPS_STARTED,
  type ServiceError,
  type StartOutcome,
  toServiceError,
  Unsent,
} from '@weft/service-kit/errors';

/** Adds the outcome of a start to an error after which its caller may repeat it, unless it is already set. */
const amend = (error: ServiceError, { started, sentence }: StartOutcome, executionId?: string): ServiceError =>
  !isRetryable(error.kind) || error.details['started'] !== undefined
    ? error
    : error.amended({ started, ...(executionId === undefined ? {} : { executionId }) }, sentence);

/** The error of a start that failed while it was being stored, under this id. */
export const perhapsStarted = (thrown: unknown, executionId: string): ServiceError => {
  const error = toServiceError(thrown);
  return error instanceof Unsent ? amend(error, NOT_STARTED) : amend(error, PERHAPS_STARTED, executionId);
};

/**
 * Runs a start so that its errors contain the outcome: the execution exists, may exist, or does not exist. For a
 * repeated start only the caller can tell.
 * @param run calls `note` with what starts the execution
 */
export const telling = async <Result>(
  { isRepeated }: { readonly isRepeated?: boolean },
  run: (note: <Made extends { readonly executionId: string }>(made: Promise<Made>) => Promise<Made>) => Promise<Result>,
): Promise<Result> => {
  let executionId: string | undefined;
  try {
    return await run(async (making) => {
      const made = await making;
      executionId = made.executionId;
      return made;
    });
  } catch (thrown) {
    const error = toServiceError(thrown);
    if (executionId !== undefined) throw amend(error, HAS_STARTED, executionId);
    throw isRepeated === true ? error : amend(error, NOT_STARTED);
  }
};
