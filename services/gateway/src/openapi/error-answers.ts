import { restErrorOf } from '../middleware/responses/error-response';
import { COMMON_REASONS, type Reason, REASONS } from './reasons';
import { component, described, listOf, record, type Schema, TEXT } from './schema';

/** An error status, with the reasons for which an operation returns it. Its body is `ERROR_RESPONSE`. */
export interface ErrorAnswer {
  readonly status: number;
  readonly code: string;
  readonly reasons: readonly Reason[];
  readonly description: string;
  /** The name of the response if all operations share it. */
  readonly name: string | undefined;
}

const FIELDS: Schema = component(
  'FieldError',
  record({
    field: described('Path of the field in the body, or the name of the parameter or header.', TEXT),
    message: TEXT,
  }),
);

const MEANINGS: Readonly<Record<number, { readonly name: string; readonly meaning: string }>> = {
  400: { name: 'BadRequest', meaning: 'The request is invalid; `details.fields` lists the invalid fields.' },
  401: { name: 'Unauthorized', meaning: 'The key is missing, malformed, wrong or deleted.' },
  403: { name: 'Forbidden', meaning: 'The role may not do this, or the resource belongs to another user.' },
  404: { name: 'NotFound', meaning: 'There is no such resource; the id is in `details`.' },
  408: { name: 'RequestTimeout', meaning: 'The body arrives too slowly.' },
  409: {
    name: 'Conflict',
    meaning: 'The state of the resource does not allow the request; `details.reason` contains the reason.',
  },
  412: { name: 'PreconditionFailed', meaning: 'If-Match does not contain the current ETag of the resource.' },
  413: { name: 'PayloadTooLarge', meaning: 'The body has more than 10 MB, or a value in it is too large.' },
  429: { name: 'TooManyRequests', meaning: 'The key has used its requests for this minute.' },
  500: { name: 'InternalError', meaning: 'An error of the service.' },
  503: {
    name: 'Unavailable',
    meaning: 'The request cannot be handled now. Try again after the number of seconds in Retry-After.',
  },
};

const meaningOf = (status: number): { readonly name: string; readonly meaning: string } => {
  const found = MEANINGS[status];
  if (found === undefined) throw new Error(`The status ${status} has no description.`);
  return found;
};

const DETAILS: Schema = component('ErrorDetails', {
  ...record(
    {},
    {
      reason: described('More exact than the code; the description of a response lists its reasons.', TEXT),
      fields: { ...listOf(FIELDS), maxItems: 50 },
    },
  ),
  additionalProperties: true,
});

/** The body of every error. Codes and reasons are open strings: later releases add some. */
export const ERROR_RESPONSE: Schema = component(
  'ErrorResponse',
  record({
    error: component(
      'ErrorContent',
      record(
        { code: described('Such as `INVALID_REQUEST`.', TEXT), message: TEXT },
        { details: DETAILS, retryAfter: described('Seconds, with 429.', { type: 'number', minimum: 0 }) },
      ),
    ),
  }),
);

const group = (reasons: readonly Reason[]): ReadonlyMap<number, readonly Reason[]> => {
  const found = new Map<number, Reason[]>();
  for (const reason of reasons) {
    const { status } = restErrorOf({ reason, kind: REASONS[reason] });
    found.set(status, [...(found.get(status) ?? []), reason]);
  }
  return found;
};

/** The common code of all reasons of a status. */
const codeOf = (reasons: readonly Reason[]): string => {
  const [code, ...others] = new Set(reasons.map((reason) => restErrorOf({ reason, kind: REASONS[reason] }).code));
  if (code === undefined || others.length > 0) throw new Error(`${reasons.join()} do not share one code.`);
  return code;
};

const COMMON = group(COMMON_REASONS);

/** The errors of an operation by status. @param reasons its distinct reasons */
export const errorAnswers = (reasons: readonly Reason[]): readonly ErrorAnswer[] =>
  [...group(reasons)]
    .sort(([one], [other]) => one - other)
    .map(([status, own]) => {
      const { name, meaning } = meaningOf(status);
      const code = codeOf(own);
      const shown = own.filter((reason) => reason !== code);
      return {
        status,
        code,
        reasons: own,
        description: shown.length === 0 ? meaning : `${meaning} Reasons: ${shown.map((r) => `\`${r}\``).join(', ')}.`,
        name: own.join() === COMMON.get(status)?.join() ? name : undefined,
      };
    });
