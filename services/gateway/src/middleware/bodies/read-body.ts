import { InvalidRequest, toServiceError, type ServiceError } from '@weft/service-kit/errors';
import { JSON_LIMITS } from '@weft/service-kit/json';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { BodyMemoryFull, PayloadTooLarge, RequestAborted } from '../../errors';
import { showBodyBytes } from '../../observing/refusals';
import { decodePieces, isCompressed } from '../../uploads/decode-pieces';
import { type Capacity, createCapacity, senderOf } from '../limits/capacity';
import { clientShare, type ProxyTrust } from '../client-origin';
import { drain, isAborted } from '../responses/drain';
import { watchProgress } from '../limits/watch-progress';

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

/** Class of senders: callers with a key, users of the console, or anyone who calls a webhook or form. */
export type BodyClass = 'key' | 'session' | 'ingress';

/** Share of the body memory that each class, and each client block within it, may hold: never all of it. */
const CLASS_PARTS: Readonly<Record<BodyClass, number>> = { key: 3 / 4, session: 1 / 16, ingress: 3 / 4 };
const ADDRESS_PART = 1 / 2;

/** Creates a reader for each class. Together they hold at most `maxTotalBytes` for all unanswered requests. */
export const createBodyReaders = (
  maxTotalBytes: number,
  trust: Pick<ProxyTrust, 'trustProxy'>,
): Readonly<Record<BodyClass, ReadBody>> => {
  const all = { taken: 0, total: maxTotalBytes };
  showBodyBytes(() => all.taken);
  const capacityOf = (name: BodyClass): Capacity => {
    // One body always fits, however little memory there is.
    const ofClass = Math.max(MAX_BODY_BYTES, maxTotalBytes * CLASS_PARTS[name]);
    return createCapacity(ofClass, Math.max(MAX_BODY_BYTES, ofClass * ADDRESS_PART));
  };
  const [key, session, ingress] = [capacityOf('key'), capacityOf('session'), capacityOf('ingress')];
  // Callers of webhooks, who may be strangers, displace only each other, and make room for all others.
  return {
    key: bodyReader({ all, capacity: key, rivals: [ingress, key], trust }),
    session: bodyReader({ all, capacity: session, rivals: [ingress, session], trust }),
    ingress: bodyReader({ all, capacity: ingress, rivals: [ingress], trust }),
  };
};

/** Bytes of the bodies of all classes. */
interface AllBodies {
  taken: number;
  readonly total: number;
}

/** Memory for the bodies of one class. */
interface BodyMemory {
  readonly all: AllBodies;
  readonly capacity: Capacity;
  /** Classes whose senders make room for this one. */
  readonly rivals: readonly Capacity[];
  readonly trust: Pick<ProxyTrust, 'trustProxy'>;
}

/** Takes bytes for a client, all of them or none; other senders may be displaced for it. */
const takeBytes = ({ all, capacity, rivals }: BodyMemory, client: string, bytes: number): boolean => {
  if (!capacity.take(client, bytes)) return false;
  const own = capacity.held(client);
  while (all.taken + bytes > all.total && rivals.some((rival) => rival.evict(client, own)));
  if (all.taken + bytes > all.total) {
    capacity.give(client, bytes);
    return false;
  }
  all.taken += bytes;
  return true;
};

const giveBytes = ({ all, capacity }: BodyMemory, client: string, bytes: number): void => {
  capacity.give(client, bytes);
  all.taken -= bytes;
};

const holder =
  (memory: BodyMemory): ReadBody['hold'] =>
  (request, response) => {
    const client = clientShare(request, memory.trust);
    let held = 0;
    response.once('close', () => giveBytes(memory, client, held));
    return (bytes) => {
      if (!takeBytes(memory, client, bytes)) throw new BodyMemoryFull();
      held += bytes;
    };
  };

const bodyReader = (memory: BodyMemory): ReadBody => {
  const { capacity, trust } = memory;
  const readBody = <Result>(
    request: IncomingMessage,
    response: ServerResponse,
    use: (body: Buffer) => Promise<Result>,
    maxBytes: number = MAX_BODY_BYTES,
  ): Promise<Result> => {
    const client = clientShare(request, trust);
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
        if (!takeBytes(memory, client, bytes)) return false;
        held += bytes;
        return true;
      };
      const give = (): void => {
        giveBytes(memory, client, held);
        held = 0;
      };
      const giveIfDone = (): void => {
        if (isClosed && !isInUse) give();
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
        leave();
        resolve(useAll());
      };
      const refuse = (error: ServiceError): void => {
        if (isSettled) return;
        isSettled = true;
        leave();
        endWatch();
        source.off('data', take);
        source.off('end', end);
        chunks.length = 0;
        give();
        // A decompressed body is drained by its generator.
        if (source === request) drain(request);
        else source.destroy();
        reject(error);
      };
      const leave = capacity.enter(
        client,
        senderOf(request, () => {
          if (!response.headersSent) response.setHeader('connection', 'close');
          refuse(new BodyMemoryFull());
        }),
      );
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
        source.once('error', (error) => refuse(toServiceError(error)));
      }
      response.once('close', () => {
        isClosed = true;
        leave();
        giveIfDone();
      });
      if (request.headers.expect !== undefined) response.writeContinue();
    });
  };
  return Object.assign(readBody, { hold: holder(memory) });
};
