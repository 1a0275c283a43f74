import {
  type Json,
  type JsonObject,
  isJsonObject,
  listField,
  numberField,
  objectField,
  textField,
} from '@weft/service-kit/json-values';
import { excerptOf, ModelError, type ModelErrorCode } from '../model-error';
import { filtered } from '../formats/shared/response-parts';
import { retryAfterOf } from './retry-after';

/** A response that reports an error. */
export interface FailedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Parsed JSON, or the text of a body that is not JSON; without secrets. */
  readonly body: Json;
}

/** Words of the error of any format, and its code. */
interface ReportedError {
  readonly words: string;
  /** Codes and types of the service, in lower case. */
  readonly codes: string;
}

/** Words by which services say that a conversation is too long: none has a status for it. */
const TOO_LONG = [
  'context_length_exceeded',
  'context length',
  'context window',
  'context size',
  'prompt is too long',
  'maximum context',
  'maximum prompt length',
  'exceeds the maximum number of tokens',
  'request_too_large',
  'too many tokens',
];
const FILTERED = [
  'content_filter',
  'content_policy',
  'content management policy',
  'responsible_ai',
  'moderation_blocked',
];
const NO_CREDIT = ['insufficient_quota', 'insufficient balance', 'credit balance', 'billing', 'insufficient credits'];
const BAD_KEY = ['api_key_invalid', 'api key not valid', 'invalid api key', 'invalid_api_key', 'api key expired'];

/** The error that a response of any format reports, in words for the owner of the workflow. */
export function failureOf(response: FailedResponse, model: string): ModelError {
  const { status, headers, body } = response;
  const reported = reportedIn(body);
  const said = reported.words === '' ? '' : `: ${sentence(excerptOf(reported.words))}`;
  const retryAfterMs = retryAfterOf(headers, body);
  const code = refusalOf(status, reported);
  const error = (start: string, advice: string): ModelError =>
    new ModelError(code, `${start} (${status})${said === '' ? '.' : said} ${advice}`.trim(), {
      status,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  switch (code) {
    case 'UNAUTHORIZED':
      return error('The service refused the API key', 'Check the key in the credential, and what it may be used for.');
    case 'MODEL_NOT_FOUND':
      return error(
        `The service does not know the model "${excerptOf(model)}"`,
        'Choose a model that the account can use.',
      );
    case 'NOT_FOUND':
      return error('There is no model service at the address', 'Check the base URL of the credential.');
    case 'QUOTA_EXCEEDED':
      return error('The account has no quota left', 'Check its plan and its billing.');
    case 'RATE_LIMITED':
      return error('The service has received too many requests', waitAdvice(retryAfterMs));
    case 'CONTEXT_TOO_LONG':
      return error(
        `The messages are longer than the model "${excerptOf(model)}" accepts`,
        'Shorten the prompt, the memory or the results of tools.',
      );
    case 'CONTENT_FILTERED':
      return filtered(reported.words);
    case 'UNAVAILABLE':
      return error('The service failed or is overloaded', 'Try again later.');
    case 'BAD_REQUEST':
      return error('The service refused the request', '');
  }
}

/** Codes of errors that a service reports. */
type Refusal = Exclude<
  ModelErrorCode,
  'UNSUPPORTED' | 'MALFORMED_RESPONSE' | 'TRUNCATED_RESPONSE' | 'RESPONSE_TOO_LARGE'
>;

function refusalOf(status: number, { words, codes }: ReportedError): Refusal {
  const text = `${codes} ${words.toLowerCase()}`;
  const says = (list: readonly string[]): boolean => list.some((part) => text.includes(part));
  if (status === 402 || ((status === 429 || status === 400 || status === 403) && says(NO_CREDIT)))
    return 'QUOTA_EXCEEDED';
  if (status === 429) return 'RATE_LIMITED';
  if (status === 401 || (status === 400 && says(BAD_KEY))) return 'UNAUTHORIZED';
  if ((status === 400 || status === 403) && says(FILTERED)) return 'CONTENT_FILTERED';
  if (status === 403) return 'UNAUTHORIZED';
  // Azure calls a missing deployment so; others name the model or its code
  if (status === 404) return /model|deployment/.test(text) ? 'MODEL_NOT_FOUND' : 'NOT_FOUND';
  if (status === 413 || (status >= 400 && status < 500 && says(TOO_LONG))) return 'CONTEXT_TOO_LONG';
  if (status === 400 && text.includes('model_not_found')) return 'MODEL_NOT_FOUND';
  if (status >= 500 && says(TOO_LONG)) return 'CONTEXT_TOO_LONG';
  if (status >= 500 || status === 408) return 'UNAVAILABLE';
  if (status >= 300 && status < 400) return 'NOT_FOUND';
  return 'BAD_REQUEST';
}

const waitAdvice = (retryAfterMs: number | undefined): string =>
  retryAfterMs === undefined
    ? 'Send fewer requests, or allow more retries.'
    : `It accepts requests again in ${Math.ceil(retryAfterMs / 1_000)} s.`;

const sentence = (words: string): string => (/[.!?…]$/.test(words) ? words : `${words}.`);

/** The error of a body in any format. */
function reportedIn(body: Json): ReportedError {
  // Gemini may send a list with one error
  const own = Array.isArray(body) ? body[0] : body;
  if (typeof own === 'string') return { words: own.trim(), codes: '' };
  if (!isJsonObject(own)) return { words: '', codes: '' };
  const inner = objectField(own, 'error') ?? own;
  const words =
    textField(own, 'error') ?? textField(inner, 'message') ?? textField(own, 'message') ?? detailOf(own) ?? '';
  const codes = [inner, objectField(inner, 'innererror'), ...listField(inner, 'details')]
    .flatMap((part) => ['code', 'type', 'status', 'reason'].map((name) => textField(part, name) ?? ''))
    .join(' ')
    .toLowerCase();
  return { words, codes };
}

/** Mistral reports invalid fields in a list. */
function detailOf(body: JsonObject): string | undefined {
  const detail = listField(body, 'detail')[0];
  const words = textField(detail, 'msg') ?? textField(body, 'detail');
  return words === undefined ? undefined : `${words} (${listField(detail, 'loc').join('.')})`;
}

/** The error in an event or body of a response with status 200, or undefined. */
export function errorIn(body: JsonObject, model: string): ModelError | undefined {
  const isEvent = textField(body, 'type') === 'error';
  const error = body['error'];
  const has =
    isEvent || (isJsonObject(error) && Object.keys(error).length > 0) || (typeof error === 'string' && error !== '');
  if (!has) return undefined;
  const given = numberField(error, 'code') ?? numberField(error, 'status') ?? statusOf(body, error);
  const status = given !== undefined && given >= 400 && given <= 599 ? given : 500;
  return failureOf({ status, headers: {}, body }, model);
}

/** The status that belongs to the type of an error in a stream. */
const STATUS: Readonly<Record<string, number>> = {
  overloaded_error: 529,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  invalid_request_error: 400,
  request_too_large: 413,
  context_length_exceeded: 400,
};

function statusOf(body: JsonObject, error: Json | undefined): number | undefined {
  const type = textField(error, 'type') ?? textField(error, 'code') ?? textField(body, 'code') ?? '';
  return Object.hasOwn(STATUS, type) ? STATUS[type] : undefined;
}
