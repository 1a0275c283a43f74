import { ServiceError } from '../errors';
import type { CallContext } from '../grpc';
import { repeatable, type Handle, type Repeat, type RepeatDeps } from './repeatable';

/** Encodes and decodes a message. */
export interface Codec<Message> {
  readonly encode: (message: Message) => { readonly finish: () => Uint8Array };
  readonly decode: (bytes: Uint8Array) => Message;
}

/** A request with an idempotency key. */
export interface KeyedRequest {
  readonly idempotencyKey?: string | undefined;
}

/** Undefined where nothing is found. */
export const ifFound = async <Found>(read: () => Promise<Found>): Promise<Found | undefined> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not-found') return undefined;
    throw error;
  }
};

const keyed = <Request extends KeyedRequest, Response>(
  deps: RepeatDeps,
  method: string,
  request: Pick<Codec<Request>, 'encode'>,
  create: Handle<Request, Response>,
  repeat: Repeat<Request, Response>,
): Handle<Request, Response> =>
  repeatable(deps, {
    method,
    keyOf: ({ idempotencyKey }) => idempotencyKey,
    bytesOf: (message) => request.encode({ ...message, idempotencyKey: undefined }).finish(),
    create,
    repeat,
  });

/**
 * A method that creates an object, repeatable by the `idempotency_key` of its request. A repeated call gets the stored
 * response.
 * @param find the response for the object as it is now; undefined if it does not exist
 */
export const repeatableCreation = <Request extends KeyedRequest, Response>(
  deps: RepeatDeps,
  method: string,
  [request, response]: readonly [Pick<Codec<Request>, 'encode'>, Codec<Response>],
  create: Handle<Request, Response>,
  find: (id: string, context: CallContext) => Promise<Response | undefined>,
): Handle<Request, Response> =>
  keyed(deps, method, request, create, {
    kind: 'stored',
    encode: (message) => response.encode(message).finish(),
    decode: (bytes) => response.decode(bytes),
    find,
  });

/**
 * A method that creates an object with a secret, which nothing stores: a repeated call is RESPONSE_NOT_REPEATED.
 * @param idName name of the id in the details of the error
 */
export const repeatableSecret = <Request extends KeyedRequest, Response>(
  deps: RepeatDeps,
  [method, idName]: readonly [method: string, idName: string],
  request: Pick<Codec<Request>, 'encode'>,
  create: Handle<Request, Response>,
  exists: (id: string, context: CallContext) => Promise<boolean>,
): Handle<Request, Response> => keyed(deps, method, request, create, { kind: 'secret', idName, exists });
