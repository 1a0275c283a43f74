import type { Json, JsonObject } from '@weft/node-catalogue';
import { field, isJsonObject, textField } from '@weft/node-catalogue';
import { LIMITS } from '@weft/service-kit/limits';
import { NodeFailure } from '@weft/engine';
import { OutboundError, OutboundRefused, type OutboundResponse } from '@weft/outbound';
import { decodeText } from './response/decode-text';
import { parseJsonText } from './response/parse-json-text';
import { contentTypeOf } from './response/read-response';
import type { RequestSettings, ResponseSettings } from './settings';
import { connectionMessage, statusMessage } from './response/status-messages';

type Redact = (text: string) => string;

const MAX_TEXT = 2_000;
/** Maximum number of characters of a response in the item of a failed request. */
const MAX_BODY = 256 * 1024;

/** Description of every error about the size of responses. */
const RESPONSES_LIMIT =
  `All responses of one node run together may have ${LIMITS.nodeOutput.max / 1024 / 1024} MB ` +
  `(${LIMITS.nodeOutput.name}).`;
/** Message of an item whose request met the rate limit of the service. */
const TOO_MANY_REQUESTS = "Try spacing your requests out using the batching settings under 'Options'";
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
/** Error codes that workflows check. */
const SYSTEM_CODES: ReadonlyMap<string, string> = new Map([
  ['TIMEOUT', 'ECONNABORTED'],
  ['TOO_MANY_REDIRECTS', 'ERR_FR_TOO_MANY_REDIRECTS'],
]);
/** Names of system errors in items, other than `Error`. */
const NAMES_IN_ITEMS: ReadonlyMap<string, string> = new Map([
  ['ECONNABORTED', 'AxiosError'],
  ['ERR_FR_TOO_MANY_REDIRECTS', 'Error [ERR_FR_TOO_MANY_REDIRECTS]'],
]);
const BATCHING_HINT = 'Use the batching option to spread the requests, or retry on failure with a wait between tries.';

/** A failed request. */
export class RequestFailed extends NodeFailure {
  /** Value of `error` in the item that replaces the failed one. */
  readonly itemError: JsonObject;
  /** Body of the response: JSON or a string; undefined if there was none. */
  readonly responseBody: Json | undefined;

  constructor(
    message: string,
    itemError: JsonObject,
    details: ConstructorParameters<typeof NodeFailure>[1] = {},
    responseBody?: Json,
  ) {
    super(message, { name: 'NodeApiError', ...details });
    this.itemError = itemError;
    this.responseBody = responseBody;
  }

  /** Value of `details` in the item that replaces the failed one, since version 4.5. */
  get itemDetails(): JsonObject {
    const { httpCode = null, code = httpCode } = this.context ?? {};
    return {
      message: this.message,
      ...(this.description === undefined ? {} : { description: this.description }),
      httpCode: code,
      ...(this.responseBody === undefined ? {} : { body: this.responseBody }),
      context: this.itemIndex === undefined ? {} : { itemIndex: this.itemIndex },
    };
  }
}

/**
 * The failure for a response with an unsuccessful status.
 * @param settings of the response: JSON is shown as JSON if it was requested, else as text
 */
export function statusFailure(
  response: OutboundResponse,
  itemIndex: number,
  redact: Redact,
  settings: Pick<ResponseSettings, 'format' | 'parsesText'> = { format: 'autodetect' },
): RequestFailed {
  const whole = redact(decodeText(response.body, contentTypeOf(response)));
  const text = whole.slice(0, MAX_TEXT);
  const { status } = response;
  const shown = `${status} - ${JSON.stringify(settings.format === 'json' ? bodyOf(text) : text)}`;
  const said = status === 429 ? BATCHING_HINT : sayingOf(text);
  const itemError: JsonObject = {
    // Versions 1 and 2 have no separate message for it.
    message: status === 429 && settings.parsesText !== true ? TOO_MANY_REQUESTS : shown,
    name: 'AxiosError',
    code: status >= 400 && status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE',
    status,
    statusCode: status,
    httpCode: String(status),
    isAxiosError: true,
    ...(said === undefined ? {} : { description: said }),
  };
  const details = {
    itemIndex,
    context: { httpCode: String(status) },
    ...(said === undefined ? {} : { description: said }),
  };
  return new RequestFailed(statusMessage(status) ?? shown, itemError, details, bodyOf(whole.slice(0, MAX_BODY)));
}

/** The parts of a request that its failure mentions. */
type FailedRequest = Pick<RequestSettings, 'url' | 'timeoutMs'>;

/**
 * The failure for a request without a response. Its message is n8n's for the system's error code, if there is one.
 * Rethrows anything but an OutboundError.
 */
export function exchangeFailure(
  thrown: unknown,
  itemIndex: number,
  redact: Redact,
  request: FailedRequest,
): RequestFailed {
  if (!(thrown instanceof OutboundError)) throw thrown;
  const details = redact(thrown.code === 'TOO_LARGE' ? `${thrown.message} ${RESPONSES_LIMIT}` : thrown.message);
  const code = SYSTEM_CODES.get(thrown.code) ?? thrown.systemCode ?? thrown.code;
  const rule = thrown instanceof OutboundRefused ? { rule: thrown.rule } : {};
  const message = connectionMessage(code) ?? details;
  const description = message === details ? {} : { description: details };
  const shown = systemMessage(code, request);
  const name = shown === undefined ? 'NodeApiError' : (NAMES_IN_ITEMS.get(code) ?? 'Error');
  return new RequestFailed(
    message,
    { message: shown ?? details, name, code, ...rule, ...description },
    { itemIndex, context: { code, ...rule }, cause: thrown, ...description },
  );
}

/** The system's message, which an item contains; undefined for codes without one. */
function systemMessage(code: string, { url, timeoutMs }: FailedRequest): string | undefined {
  const { hostname, port, protocol } = new URL(url);
  switch (code) {
    case 'ECONNREFUSED':
      return `connect ECONNREFUSED ${hostname}:${port === '' ? DEFAULT_PORTS[protocol] : port}`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `getaddrinfo ${code} ${hostname}`;
    case 'ERR_FR_TOO_MANY_REDIRECTS':
      return 'Maximum number of redirects exceeded';
    case 'ECONNABORTED':
      return `timeout of ${timeoutMs}ms exceeded`;
    default:
      return undefined;
  }
}

/** A failure that ends pagination. */
export function pagesFailure(message: string, description: string, itemIndex: number): RequestFailed {
  const name = 'NodeOperationError';
  return new RequestFailed(message, { message, name, description, context: {} }, { name, description, itemIndex });
}

function bodyOf(text: string): Json {
  try {
    return parseJsonText(text);
  } catch {
    // Invalid JSON is shown as text.
    return text;
  }
}

/** Error message of a service: from the fields in which services commonly put it, else the body. */
function sayingOf(text: string): string | undefined {
  const body = bodyOf(text);
  const first = Array.isArray(body) ? body[0] : body;
  const error = field(first, 'error');
  const errors = field(first, 'errors');
  const places: readonly (Json | undefined)[] = [error, Array.isArray(errors) ? errors[0] : errors, first];
  for (const place of places) {
    if (typeof place === 'string' && place.trim() !== '') return place.trim();
    if (!isJsonObject(place)) continue;
    const found =
      textField(place, 'message') ??
      textField(place, 'description') ??
      textField(place, 'error_description') ??
      textField(place, 'detail') ??
      textField(place, 'title');
    if (found !== undefined) return found;
  }
  return undefined;
}
