import { answerChecker } from '@weft/api-contract';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCUMENT = join(__dirname, '..', '..', '..', '..', 'docs', 'openapi.json');

const check = answerChecker(JSON.parse(readFileSync(DOCUMENT, 'utf8')));

/** Checks that an answer matches the document of the API. @throws Error that says what does not */
const expectDocumented = (method: string, path: string, { status, headers, text }: RestAnswer): void => {
  const faults = check({ method, path, status, headers, text });
  if (faults.length > 0) throw new Error(`The answer is not as documented:\n${faults.join('\n')}`);
};

/** An answer of the REST API. */
export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; an empty object if there is none. */
  readonly json: RestBody;
}

/** Fields of bodies that the stories read. */
export interface RestBody {
  readonly data?: unknown;
  readonly nextCursor?: string | null;
  readonly message?: string;
  /** In responses of webhooks that were stored or received before. */
  readonly executionId?: string;
  readonly deliveryId?: string;
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly retryAfter?: number;
  };
}

/** Calls the REST API as an outside client does. */
export type Rest = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<RestAnswer>;

const LIMIT_MS = 35_000;

const read = async (reply: Response): Promise<RestAnswer> => {
  const text = await reply.text();
  const json: RestBody = text.startsWith('{') ? JSON.parse(text) : {};
  return { status: reply.status, headers: reply.headers, text, json };
};

/** A client of one gateway with one key. A string body is sent unchanged, anything else as JSON. */
export const restClient =
  (baseUrl: string, apiKey: string | undefined): Rest =>
  async (method, path, body, headers = {}) => {
    const answer = await read(
      await fetch(`${baseUrl}/api/v1${path}`, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(apiKey === undefined ? {} : { 'x-svc-api-key': apiKey }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(LIMIT_MS),
      }),
    );
    expectDocumented(method, path, answer);
    return answer;
  };

/** Sends a request to a webhook. */
export const callWebhook = async (
  baseUrl: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
): Promise<RestAnswer> =>
  read(
    await fetch(`${baseUrl}/webhook/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(LIMIT_MS),
    }),
  );

/** The `data` of an answer as an object. @throws Error with the whole answer if it is not one. */
export const dataOf = (answer: RestAnswer): Readonly<Record<string, unknown>> => {
  const { data } = answer.json;
  if (typeof data !== 'object' || data === null) throw new Error(`${answer.status}: ${answer.text.slice(0, 500)}`);
  return { ...data };
};

/** A string in the `data` of an answer. @throws Error if it is missing. */
export const textOf = (answer: RestAnswer, key: string): string => {
  const value = dataOf(answer)[key];
  if (typeof value !== 'string') throw new Error(`${key} is not a string in ${answer.text.slice(0, 500)}`);
  return value;
};

/** The `data` of a list answer. */
export const listOf = (answer: RestAnswer): readonly Readonly<Record<string, unknown>>[] => {
  if (!Array.isArray(answer.json.data)) throw new Error(`${answer.status}: ${answer.text.slice(0, 500)}`);
  return answer.json.data;
};
