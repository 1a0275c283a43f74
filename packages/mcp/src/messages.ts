import { INVALID_REQUEST, RpcError } from './errors';
import { fieldOf, isObject, textOf, type Json, type JsonObject } from './json';

export type RequestId = string | number;

/** A call that is answered. */
export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

/** A message of a client. A response answers a request of the server, which never sends any. */
export type Message = RpcRequest | { readonly kind: 'notification' } | { readonly kind: 'response' };

const MAX_ID_LENGTH = 256;
const MAX_METHOD_LENGTH = 200;

const isId = (value: Json | undefined): value is RequestId =>
  typeof value === 'string' ? value.length <= MAX_ID_LENGTH : Number.isSafeInteger(value);

const invalid = (message: string): RpcError => new RpcError(INVALID_REQUEST, message, 400);

/** The id of a message that may be invalid; undefined if it has none that can be returned. */
export const idOf = (value: Json): RequestId | undefined => {
  const id = fieldOf(value, 'id');
  return isId(id) ? id : undefined;
};

/** Reads one message. @throws RpcError */
export const readMessage = (value: Json): Message => {
  if (!isObject(value)) throw invalid('A message must be a JSON object.');
  if (fieldOf(value, 'jsonrpc') !== '2.0') throw invalid('jsonrpc must be "2.0".');
  const method = textOf(value, 'method');
  if (method === undefined) {
    if (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error')) return { kind: 'response' };
    throw invalid('method must be a string.');
  }
  if (method.length > MAX_METHOD_LENGTH) throw invalid(`method must have at most ${MAX_METHOD_LENGTH} characters.`);
  const params = fieldOf(value, 'params') ?? {};
  if (!isObject(params)) throw invalid('params must be an object.');
  if (!Object.hasOwn(value, 'id')) return { kind: 'notification' };
  const id = idOf(value);
  if (id === undefined) throw invalid(`id must be an integer or a string of at most ${MAX_ID_LENGTH} characters.`);
  return { kind: 'request', id, method, params };
};

/** A response with a result, as JSON text. */
export const resultText = (id: RequestId, result: JsonObject): string => JSON.stringify({ jsonrpc: '2.0', id, result });

/** A response with an error, as JSON text; without an id if the request could not be read. */
export const errorText = (id: RequestId | undefined, { code, message, data }: RpcError, isLegacy: boolean): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    // JSON-RPC has null here, which modern versions leave out.
    ...(id === undefined ? (isLegacy ? { id: null } : {}) : { id }),
    error: { code, message, ...(data === undefined ? {} : { data }) },
  });

export const notificationText = (method: string, params: JsonObject): string =>
  JSON.stringify({ jsonrpc: '2.0', method, params });
