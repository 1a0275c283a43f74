/** Facts of a failed call. */
type Facts = Omit<WeftError, 'name' | 'stack' | 'cause'>;

/** A call that the API refused, or that was not answered. */
export class WeftError extends Error {
  override readonly name = 'WeftError';
  /** HTTP status; 0: no answer. */
  readonly status: number;
  /** Such as `INVALID_REQUEST`; `NO_ANSWER` without one. */
  readonly code: string;
  /** Such as `WEBHOOK_PATH_TAKEN`; undefined if the API gives none. */
  readonly reason: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** Names the request in the logs of the server. */
  readonly requestId: string | undefined;
  /** Milliseconds after which a retry may succeed; undefined if the API gives none. */
  readonly retryAfterMs: number | undefined;

  constructor({ message, status, code, reason, details, requestId, retryAfterMs }: Facts, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The error in a body of the API, or in the last frame of a stream. */
export const apiErrorOf = (body: unknown, status: number, headers = new Headers(), text = ''): WeftError => {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const details = isRecord(error['details']) ? error['details'] : {};
  const seconds = Number(headers.get('retry-after') ?? error['retryAfter'] ?? Number.NaN);
  return new WeftError({
    message: textOf(error['message']) ?? `The server answered ${status}: ${text.slice(0, 200)}`,
    status,
    code: textOf(error['code']) ?? 'UNKNOWN',
    reason: textOf(details['reason']),
    details,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined,
  });
};

/** The error of a response that is not a success. A proxy may have answered, with HTML. */
export const errorOf = async (response: Response): Promise<WeftError> => {
  const text = await response.text();
  return apiErrorOf(parse(text), response.status, response.headers, text);
};

/** The error of a request that was not answered. */
export const unanswered = (cause: unknown): WeftError =>
  new WeftError(
    {
      message: `The server did not answer: ${cause instanceof Error ? cause.message : String(cause)}`,
      status: 0,
      code: 'NO_ANSWER',
      reason: undefined,
      details: {},
      requestId: undefined,
      retryAfterMs: undefined,
    },
    cause,
  );
