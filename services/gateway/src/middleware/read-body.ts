import { InvalidRequest, toServiceError, type ServiceError } from '@weft/service-kit/errors';
import { createShares, type Shares } from '@weft/service-kit/in-flight';
import { JSON_LIMITS } from '@weft/service-kit/json';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { BodyMemoryFull, PayloadTooLarge, RequestAborted } from '../errors';
import { showBodyBytes } from '../observing/refusals';
import { decodePieces, isCompressed } from '../uploads/decode-pieces';
import { clientAddress, type ProxyTrust } from './client-origin';
import { drain, isAborted } from './drain';
import { watchProgress } from './watch-progress';

/** Maximum body of a request, in bytes. */
export const MAX_BODY_BYTES = JSON_LIMITS.maxBytes;

const tooLarge = (maxBytes: number): PayloadTooLarge =>
  new PayloadTooLarge(`The body exceeds the limit of ${maxBytes} bytes.`);

/**
 * Refuses bodies that can be refused unread: those announced as larger than `maxBytes`, and compressed ones.
 * @throws PayloadTooLarge; InvalidRequest
 */
export const checkBodyHeaders = (request: IncomingMessage, maxBytes: number = MAX_BODY_BYTES): void => {
  checkBodyLength(request, maxBytes);
  checkBodyEncoding(request);
};

/** Refuses a body that is announced as larger than `maxBytes`. @throws PayloadTooLarge */
export const checkBodyLength = (request: IncomingMessage, maxBytes: number = MAX_BODY_BYTES): void => {
  if (Number(request.headers['content-length'] ?? 0) <= maxBytes) return;
  drain(request);
  throw tooLarge(maxBytes);
};

/** Refuses compressed bodies. @throws InvalidRequest */
export const checkBodyEncoding = (request: IncomingMessage): void => {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new InvalidRequest('Compressed bodies are not supported: send the body without Content-Encoding.', [
      { field: 'Content-Encoding', message: 'must be omitted' },
    ]);
  }
};

/** Gives up a request whose sender has left, before it takes a slot. @throws RequestAborted */
export const checkSender = (request: IncomingMessage): void => {
  if (isAborted(request)) throw new RequestAborted();
};

/** True if the request has a body. */
export const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/**
 * Reads the whole body of a request, decompressed, at most `maxBytes` (default: 10 MB), and processes it. A sender
 * waiting for 100 Continue gets it now and not earlier.
 * @param use processes the body, which counts as held until that is done, even if the sender has left meanwhile
 * @throws PayloadTooLarge; RequestAborted if the sender leaves early; Unavailable if the bodies of all requests exceed
 * their limit; errors of `use`
 */
export interface ReadBody {
  <Result>(
    request: IncomingMessage,
    response: ServerResponse,
    use: (body: Buffer) => Promise<Result>,
    maxBytes?: number,
  ): Promise<Result>;
  /**
   * Returns a function that counts further bytes as held until the request is answered.
   * @throws BodyMemoryFull from that function
   */
  readonly hold: (request: IncomingMessage, response: ServerResponse) => (bytes: number) => void;
}

/** Class of senders: callers with a key, users of the settings page, or anyone who calls a webhook or form. */
export type BodyClass = 'key' | 'session' | 'ingress';

/** Share of the body memory that each class, and each client address within it, may hold: never all of it. */
const CLASS_PARTS: Readonly<Record<BodyClass, number>> = { key: 3 / 4, session: 1 / 16, ingress: 3 / 4 };
const ADDRESS_PART = 1 / 2;

/** Creates a reader for each class. Together they hold at most `maxTotalBytes` for all unanswered requests. */
export const createBodyReaders = (
  maxTotalBytes: number,
  trust: Pick<ProxyTrust, 'trustProxy'>,
): Readonly<Record<BodyClass, ReadBody>> => {
  const all = createShares(maxTotalBytes, maxTotalBytes);
  showBodyBytes(all.taken);
  const readerOf = (name: BodyClass): ReadBody => {
    // One body always fits, however little memory there is.
    const ofClass = Math.max(MAX_BODY_BYTES, maxTotalBytes * CLASS_PARTS[name]);
    return bodyReader(all, createShares(ofClass, Math.max(MAX_BODY_BYTES, ofClass * ADDRESS_PART)), trust);
  };
  return { key: readerOf('key'), session: readerOf('session'), ingress: readerOf('ingress') };
};

/** Takes bytes from both shares, or from none. */
const takeBoth = (all: Shares, shares: Shares, owner: string, bytes: number): boolean => {
  if (!shares.take(owner, bytes)) return false;
  if (all.take(owner, bytes)) return true;
  shares.give(owner, bytes);
  return false;
};

const holder =
  (all: Shares, shares: Shares, trust: Pick<ProxyTrust, 'trustProxy'>): ReadBody['hold'] =>
  (request, response) => {
    const owner = clientAddress(request, trust);
    let held = 0;
    response.once('close', () => {
      shares.give(owner, held);
      all.give(owner, held);
    });
    return (bytes) => {
      if (!takeBoth(all, shares, owner, bytes)) throw new BodyMemoryFull();
      held += bytes;
    };
  };

const bodyReader = (all: Shares, shares: Shares, trust: Pick<ProxyTrust, 'trustProxy'>): ReadBody => {
  const readBody = <Result>(
    request: IncomingMessage,
    response: ServerResponse,
    use: (body: Buffer) => Promise<Result>,
    maxBytes: number = MAX_BODY_BYTES,
  ): Promise<Result> => {
    const owner = clientAddress(request, trust);
    return new Promise((resolve, reject) => {
      // The sender may have left before its body was requested, in which case no further event is emitted.
      checkSender(request);
      const chunks: Buffer[] = [];
      let size = 0;
      let held = 0;
      /**
       * The body was read or refused, so its close is irrelevant. Every request is closed, and creating an error costs
       * a stack trace.
       */
      let isSettled = false;
      let isClosed = false;
      let isInUse = false;
      const source: Readable = isCompressed(request) ? Readable.from(decodePieces(request, response)) : request;
      const hold = (bytes: number): boolean => {
        if (!takeBoth(all, shares, owner, bytes)) return false;
        held += bytes;
        return true;
      };
      const giveIfDone = (): void => {
        if (!isClosed || isInUse) return;
        shares.give(owner, held);
        all.give(owner, held);
        held = 0;
      };
      const useAll = async (): Promise<Awaited<ReturnType<typeof use>>> => {
        isInUse = true;
        try {
          return await use(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
        } finally {
          isInUse = false;
          giveIfDone();
        }
      };
      const end = (): void => {
        isSettled = true;
        resolve(useAll());
      };
      const refuse = (error: ServiceError): void => {
        isSettled = true;
        endWatch();
        source.off('data', take);
        source.off('end', end);
        chunks.length = 0;
        // A decompressed body is drained by its generator.
        if (source === request) drain(request);
        else source.destroy();
        reject(error);
      };
      const take = (chunk: Buffer): void => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > maxBytes) refuse(tooLarge(maxBytes));
        else if (!hold(chunk.length)) refuse(new BodyMemoryFull());
      };
      const breakOff = (): void => {
        if (!isSettled) reject(new RequestAborted());
      };
      let endWatch = (): void => undefined;
      source.on('data', take);
      source.once('end', end);
      if (source === request) {
        endWatch = watchProgress(request, response, refuse);
        request.once('error', breakOff);
        request.once('close', breakOff);
      } else {
        source.once('error', (error) => {
          if (!isSettled) refuse(toServiceError(error));
        });
      }
      response.once('close', () => {
        isClosed = true;
        giveIfDone();
      });
      if (request.headers.expect !== undefined) response.writeContinue();
    });
  };
  return Object.assign(readBody, { hold: holder(all, shares, trust) });
};
