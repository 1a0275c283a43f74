import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';

/** Where the API server is, and the folder with the token and the certificate of the service account. */
export interface ApiServer {
  readonly host: string;
  readonly port: number;
  /** With `token` and `ca.crt`, which Kubernetes replaces while the process runs. */
  readonly folder: string;
}

/** A response of the API server that is not a success. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: object;
  /** Default: `application/json`. */
  readonly contentType?: string;
  /** Default: `application/json`. */
  readonly accept?: string;
}

export interface ApiClient {
  /** Sends a request and parses the response. @throws ApiError with the message of the API server */
  readonly send: <Answer>(given: ApiRequest) => Promise<Answer>;
  /**
   * Reads lines of JSON until the server ends the stream, the signal fires, or nothing arrives for `silenceMs`.
   *
   * @throws ApiError if the server refuses it
   */
  readonly stream: (
    path: string,
    options: { readonly silenceMs: number; readonly signal: AbortSignal },
    onLine: (value: unknown) => void,
  ) => Promise<void>;
  readonly close: () => void;
}

const LIMIT_MS = 30_000;
/** A token is replaced an hour before it expires. */
const TOKEN_MS = 60_000;
/** Larger than any object of the API server, which has at most 1.5 MB, or a page of them. */
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_LINE = 8 * 1024 * 1024;

const messageIn = (text: string): string => {
  try {
    const status: unknown = JSON.parse(text);
    if (typeof status === 'object' && status !== null && 'message' in status) return String(status.message);
  } catch {
    // A proxy may have answered.
  }
  return text.slice(0, 300);
};

/** Prepares requests to the API server with the token of the service account. */
export const createApiClient = ({ host, port, folder }: ApiServer): ApiClient => {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(folder, 'ca.crt')), maxSockets: 32 });
  let token = { text: '', readAt: Number.NEGATIVE_INFINITY };

  const currentToken = (): string => {
    if (performance.now() - token.readAt > TOKEN_MS)
      token = { text: readFileSync(join(folder, 'token'), 'utf8').trim(), readAt: performance.now() };
    return token.text;
  };

  const open = (given: ApiRequest, signal: AbortSignal | undefined, timeout: number): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method, path, body, contentType = 'application/json', accept = 'application/json' } = given;
      const text = body === undefined ? '' : JSON.stringify(body);
      const sent = request(
        {
          host,
          port,
          path,
          method,
          agent,
          timeout,
          headers: {
            authorization: `Bearer ${currentToken()}`,
            accept,
            ...(body === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }),
          },
          ...(signal === undefined ? {} : { signal }),
        },
        resolve,
      );
      sent.on('timeout', () => sent.destroy(new Error(`The API server sent nothing for ${timeout} ms.`)));
      sent.on('error', reject);
      sent.end(text);
    });

  const readAll = async (answer: IncomingMessage): Promise<string> => {
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of answer) {
      if (!Buffer.isBuffer(part)) continue;
      bytes += part.length;
      if (bytes > MAX_BYTES) throw new Error(`The response of the API server has more than ${MAX_BYTES} bytes.`);
      parts.push(part);
    }
    return Buffer.concat(parts).toString('utf8');
  };

  const failOf = async (answer: IncomingMessage, path: string): Promise<ApiError> => {
    const text = await readAll(answer);
    // A token that was replaced: the next request reads it again.
    if (answer.statusCode === 401) token = { ...token, readAt: Number.NEGATIVE_INFINITY };
    return new ApiError(answer.statusCode ?? 0, `${path.split('?')[0]}: ${answer.statusCode} ${messageIn(text)}`);
  };

  const isSuccess = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300;

  return {
    send: async <Answer>(given: ApiRequest) => {
      const answer = await open(given, undefined, LIMIT_MS);
      if (!isSuccess(answer)) throw await failOf(answer, given.path);
      const parsed: Answer = JSON.parse(await readAll(answer));
      return parsed;
    },
    stream: async (path, { silenceMs, signal }, onLine) => {
      const answer = await open({ method: 'GET', path }, signal, silenceMs);
      if (!isSuccess(answer)) throw await failOf(answer, path);
      answer.setEncoding('utf8');
      let rest = '';
      for await (const part of answer) {
        rest += String(part);
        for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
          onLine(JSON.parse(rest.slice(0, end)));
          rest = rest.slice(end + 1);
        }
        if (rest.length > MAX_LINE) throw new Error(`A watch event has more than ${MAX_LINE} characters.`);
      }
    },
    close: () => agent.destroy(),
  };
};
