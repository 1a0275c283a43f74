import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { remainingMs } from '../context';
import { InvalidRequest, toServiceError, Unavailable, type ErrorKind } from '../errors';
import type { CallContext } from '../grpc';
import { uuidv7 } from '../ids';
import { IdempotencyKeyReused, ResponseNotRepeated, TooManyIdempotencyKeys } from './errors';
import type { KeyRecord, KeyRecordStore } from './key-record';

/** Dependencies of repeatable methods. */
export interface RepeatDeps {
  readonly store: KeyRecordStore;
  /** Unix milliseconds by the clock of the store, which all replicas share. */
  readonly now: () => number;
  /** Keys the digests of requests, which may contain passwords. */
  readonly secret: string | KeyObject;
  /** Called with the error of recording a success, which fails no request. */
  readonly onUnrecorded: (error: unknown) => void;
}

/** Implementation of a method. */
export type Handle<Request, Response> = (request: Request, context: CallContext) => Promise<Response>;

/** A method that creates an object, and what a repeated call gets. */
export interface RepeatableMethod<Request, Response> {
  /** Keys of different methods are different. */
  readonly method: string;
  /** The idempotency key of a request; undefined or empty: the call is not repeatable. */
  readonly keyOf: (request: Request) => string | undefined;
  /** The content of a request, without its key: equal for repeated requests. */
  readonly bytesOf: (request: Request) => Uint8Array;
  /** Creates the object under the id `createdId` of the context. */
  readonly create: Handle<Request, Response>;
  readonly repeat: Repeat<Request, Response>;
}

/** The response to a repeated call. */
export type Repeat<Request, Response> =
  | {
      /** The stored response. */
      readonly kind: 'stored';
      readonly encode: (response: Response) => Uint8Array;
      readonly decode: (bytes: Uint8Array, request: Request, context: CallContext) => Response | Promise<Response>;
      /** The object as it is now, where no response was stored; undefined: it does not exist. */
      readonly find: (id: string, context: CallContext) => Promise<Response | undefined>;
    }
  | {
      /** The id alone, as an error: the response has a secret. */
      readonly kind: 'secret';
      /** Name of the id in the details of the error. */
      readonly idName: string;
      readonly exists: (id: string, context: CallContext) => Promise<boolean>;
    }
  | {
      /** The stored response or, where there is none, another call with the same `createdId`. */
      readonly kind: 'again';
      readonly encode: (response: Response) => Uint8Array;
      readonly decode: (bytes: Uint8Array) => Response;
    };

/** Lifetime of a key. */
const KEY_MS = 24 * 3_600_000;
/** Longer than any request. */
const LEASE_MS = 40_000;
const POLL_MS = 100;
/** Maximum keys of a caller at a time. */
const MAX_KEYS = 10_000;
/** Larger responses are not stored: a repeated call reads the object. */
const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_KEY_LENGTH = 255;

/** Errors after which nothing was created. After any other, an attempt may have succeeded. */
const IS_CERTAIN: Readonly<Record<ErrorKind, boolean>> = {
  invalid: true,
  unauthenticated: true,
  forbidden: true,
  'not-found': true,
  conflict: true,
  precondition: true,
  'too-large': true,
  limited: true,
  unavailable: false,
  timeout: false,
  internal: false,
};

const digestOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** @throws InvalidRequest */
const checkKey = (key: string): void => {
  if (key.length > MAX_KEY_LENGTH)
    throw new InvalidRequest('The idempotency key is too long.', [
      { field: 'idempotencyKey', message: `must have at most ${MAX_KEY_LENGTH} characters` },
    ]);
};

/**
 * Makes a creating method repeatable: with the same key, the same caller and the same request it creates one object,
 * also while the first call is running, and after a crash in the middle of it. Keys live for 24 hours.
 * @throws IdempotencyKeyReused for another request, ResponseNotRepeated, TooManyIdempotencyKeys, Unavailable while the
 * first call is running
 */
export const repeatable = <Request, Response>(
  { store, now, secret, onUnrecorded }: RepeatDeps,
  { method, keyOf, bytesOf, create, repeat }: RepeatableMethod<Request, Response>,
): Handle<Request, Response> => {
  const attempt = async (request: Request, context: CallContext, record: KeyRecord): Promise<Response> => {
    let response: Response;
    try {
      response = await create(request, { ...context, createdId: record.createdId });
    } catch (error) {
      const isCertain = IS_CERTAIN[toServiceError(error).kind];
      await (isCertain ? store.remove : store.release)(record.id, record.leaseUntil).catch(onUnrecorded);
      throw error;
    }
    const encoded = repeat.kind === 'secret' ? undefined : repeat.encode(response);
    const isShort = encoded !== undefined && encoded.length <= MAX_RESPONSE_BYTES;
    await store.finish(record.id, isShort ? encoded : undefined).catch(onUnrecorded);
    return response;
  };

  /** The response of an attempt that has ended, or whose end is not recorded; undefined if it created nothing. */
  const respond = async (request: Request, context: CallContext, record: KeyRecord): Promise<Response | undefined> => {
    const { createdId, response, isDone } = record;
    if (repeat.kind === 'again')
      return response === undefined ? create(request, { ...context, createdId }) : repeat.decode(response);
    if (repeat.kind === 'stored')
      return response === undefined ? repeat.find(createdId, context) : repeat.decode(response, request, context);
    if (isDone || (await repeat.exists(createdId, context))) throw new ResponseNotRepeated(repeat.idName, createdId);
    return undefined;
  };

  /** @throws Unavailable if the object of a finished request no longer exists, or an attempt is still running */
  const follow = async (request: Request, context: CallContext, mine: KeyRecord): Promise<Response> => {
    const until = performance.now() + Math.max(0, remainingMs(30_000) - 1_000);
    for (;;) {
      const record = await store.find(mine.id);
      if (record === undefined || record.expireAt.getTime() <= now()) {
        if (record !== undefined) await store.remove(record.id, record.leaseUntil);
        return begin(request, context, mine);
      }
      if (record.requestHash !== mine.requestHash) throw new IdempotencyKeyReused();
      const isOver = record.leaseUntil.getTime() <= now();
      if (record.isDone || isOver) {
        const response = await respond(request, context, record);
        if (response !== undefined) return response;
        // The object was deleted since: the key has done its work.
        if (record.isDone) throw new IdempotencyKeyReused();
        const again = { ...record, leaseUntil: mine.leaseUntil };
        if (await store.takeOver(record.id, record.leaseUntil, mine.leaseUntil))
          return attempt(request, context, again);
      }
      if (performance.now() >= until)
        throw new Unavailable('A request with this idempotency key is still running. Try again later.');
      await sleep(POLL_MS, undefined, { signal: context.signal });
    }
  };

  const begin = async (request: Request, context: CallContext, mine: KeyRecord): Promise<Response> =>
    (await store.insert(mine)) ? attempt(request, context, mine) : follow(request, context, mine);

  return async (request, context) => {
    const key = keyOf(request);
    const { principal } = context;
    if (key === undefined || key === '' || principal === undefined) return create(request, context);
    checkKey(key);
    const { userId: ownerId } = principal;
    const begun = now();
    const mine: KeyRecord = {
      id: digestOf(ownerId, method, key),
      ownerId,
      requestHash: createHmac('sha256', secret).update(key).update('\0').update(bytesOf(request)).digest('base64url'),
      createdId: uuidv7(),
      leaseUntil: new Date(begun + LEASE_MS),
      expireAt: new Date(begun + KEY_MS),
      isDone: false,
    };
    if ((await store.find(mine.id)) !== undefined) return follow(request, context, mine);
    if ((await store.countOf(ownerId, MAX_KEYS)) >= MAX_KEYS) throw new TooManyIdempotencyKeys(MAX_KEYS);
    return begin(request, context, mine);
  };
};
