import {
  Metadata,
  status as GrpcCode,
  type Client,
  type ClientDuplexStream,
  type ServiceError as GrpcError,
} from '@grpc/grpc-js';
import { CallStreamServiceService, type TunnelledCall, type TunnelCallsRequest } from '@weft/proto/calls';
import type { TunnelledAnswer, TunnelCallsResponse } from '@weft/proto/calls';
import { Status } from '@weft/proto/rpc-status';
import { unixTimeOf } from '../../context';
import { DETAILS_KEY } from '../error-status';
import { InFlightMap } from '../../in-flight';
import { createFrames } from './frames';

/** Metadata with the id of the process that opens a stream. */
export const PROCESS_ID_KEY = 'x-weft-process-id';

/** A failed call in the shape of a grpc-js error, so that tunnelled and separate calls are handled alike. */
export class TunnelledCallFailed extends Error implements GrpcError {
  constructor(
    readonly code: GrpcCode,
    readonly details: string,
    readonly metadata = new Metadata(),
  ) {
    super(`${code} ${GrpcCode[code]}: ${details}`);
    this.name = 'TunnelledCallFailed';
  }
}

/** It is unknown whether the call was executed. */
const lost = (details: string): TunnelledCallFailed => new TunnelledCallFailed(GrpcCode.UNAVAILABLE, details);

const failureOf = (status: Status): TunnelledCallFailed => {
  const metadata = new Metadata();
  if (status.details.length > 0) metadata.set(DETAILS_KEY, Buffer.from(Status.encode(status).finish()));
  return new TunnelledCallFailed(status.code, status.message, metadata);
};

/** A call to send on a stream. */
export interface OutgoingCall extends Omit<TunnelledCall, 'number' | 'timeoutMs'> {
  /** Monotonic milliseconds of this process. */
  readonly deadline: number;
}

/** A stream that tunnels calls. */
export interface CallStream {
  /** True if it accepts calls. */
  readonly isOpen: () => boolean;
  /** True if there is room for a request of this size. */
  readonly hasRoom: (bytes: number) => boolean;
  /** Number of calls without a response. */
  readonly underWay: () => number;
  /** True if calls are waiting and the peer has sent nothing for a while: it may be stalled. */
  readonly isQuiet: () => boolean;
  /** Milliseconds since it was opened. */
  readonly ageMs: () => number;
  /** @throws TunnelledCallFailed */
  readonly send: (call: OutgoingCall) => Promise<Buffer>;
  /** Accepts no further calls, and ends once the calls in flight are answered. */
  readonly finish: () => void;
}

export interface CallStreamOptions {
  readonly client: Client;
  /** A service token for opening the stream. */
  readonly token: string;
  /** Id of this process, if the service is to notice its end. */
  readonly processId?: string | undefined;
  /** Milliseconds after which it accepts no further calls. */
  readonly lastsMs: number;
  /** Called when the calls of a tick have been sent. */
  readonly onFlushed: () => void;
  /** Called when the stream has ended. `isBroken`: the peer has not ended it properly. */
  readonly onEnd: (wasOpen: boolean, isBroken: boolean) => void;
}

interface Pending {
  readonly bytes: number;
  readonly sentAt: number;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (response: Buffer) => void;
  readonly reject: (error: TunnelledCallFailed) => void;
}

/** Maximum calls and request bytes without a response. Beyond that, calls are made separately. */
const MAX_PENDING = 1_000;
const MAX_PENDING_BYTES = 4 * 1024 * 1024;

/** Milliseconds after which a peer counts as quiet. */
const QUIET_MS = 500;

/** Longer than any call's deadline. */
const REST_MS = 60_000;

type Wire = ClientDuplexStream<TunnelCallsRequest, TunnelCallsResponse>;

class OpenedStream implements CallStream {
  readonly #pending = new InFlightMap<number, Pending>();
  readonly #begunAt = performance.now();
  readonly #wire: Wire;
  readonly #queue: (call: TunnelledCall) => void;
  readonly #timer: NodeJS.Timeout;
  #state: 'opening' | 'open' | 'leaving' | 'over' = 'opening';
  #wasOpen = false;
  #bytes = 0;
  #last = 0;
  #heardAt = 0;

  constructor(private readonly options: CallStreamOptions) {
    const { client, token, lastsMs, onFlushed, processId } = options;
    const { path, requestSerialize, responseDeserialize } = CallStreamServiceService.tunnelCalls;
    const metadata = new Metadata();
    metadata.set('x-weft-service-token', token);
    if (processId !== undefined) metadata.set(PROCESS_ID_KEY, processId);
    this.#wire = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata, {
      deadline: unixTimeOf(performance.now() + lastsMs + REST_MS),
    });
    this.#queue = createFrames<TunnelledCall>(
      ({ request }) => request.length,
      (calls) => {
        if (!this.#wire.writableEnded) this.#wire.write({ calls });
      },
      () => {
        onFlushed();
        this.#endIfIdle();
      },
    );
    this.#timer = setTimeout(() => this.finish(), lastsMs);
    this.#timer.unref();
    this.#wire.on('data', (response: TunnelCallsResponse) => this.#take(response));
    this.#wire.on('error', (error: GrpcError) => this.#over(error.details, true));
    this.#wire.on('status', () => this.#over('The stream has ended.', false));
  }

  isOpen(): boolean {
    return this.#state === 'open';
  }

  hasRoom(bytes: number): boolean {
    return this.#pending.size < MAX_PENDING && this.#bytes + bytes <= MAX_PENDING_BYTES;
  }

  underWay(): number {
    return this.#pending.size;
  }

  isQuiet(): boolean {
    const [oldest] = this.#pending.values();
    return oldest !== undefined && performance.now() - Math.max(oldest.sentAt, this.#heardAt) > QUIET_MS;
  }

  ageMs(): number {
    return performance.now() - this.#begunAt;
  }

  send({ deadline, ...call }: OutgoingCall): Promise<Buffer> {
    const number = (this.#last += 1);
    const timeoutMs = Math.max(1, Math.ceil(deadline - performance.now()));
    const bytes = call.request.length;
    this.#bytes += bytes;
    this.#queue({ ...call, number, timeoutMs });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#late(number), timeoutMs);
      this.#pending.set(number, { bytes, sentAt: performance.now(), timer, resolve, reject });
    });
  }

  finish(): void {
    if (this.#state === 'over' || this.#state === 'leaving') return;
    this.#state = 'leaving';
    // Do not wait for a peer that has not responded within the lifetime of a stream.
    if (!this.#wasOpen) return this.#wire.cancel();
    // Send what was queued in this tick first.
    setImmediate(() => this.#endIfIdle());
  }

  #endIfIdle(): void {
    if (this.#state !== 'leaving' || this.#pending.size > 0 || this.#wire.writableEnded) return;
    if (this.options.processId !== undefined) this.#wire.write({ calls: [], leaving: true });
    this.#wire.end();
  }

  #settle(number: number): Pending | undefined {
    const pending = this.#pending.get(number);
    if (pending === undefined) return undefined;
    this.#pending.delete(number);
    this.#bytes -= pending.bytes;
    clearTimeout(pending.timer);
    return pending;
  }

  /** A response is overdue. A peer that has been quiet since gets no further calls. */
  #late(number: number): void {
    const pending = this.#settle(number);
    pending?.reject(new TunnelledCallFailed(GrpcCode.DEADLINE_EXCEEDED, 'Deadline exceeded'));
    if (pending !== undefined && pending.sentAt > this.#heardAt) this.finish();
    this.#endIfIdle();
  }

  #take({ answers, leaving }: TunnelCallsResponse): void {
    this.#heardAt = performance.now();
    this.#wasOpen = true;
    if (this.#state === 'opening') this.#state = 'open';
    for (const answer of answers) this.#answer(answer);
    if (leaving) this.finish();
    this.#endIfIdle();
  }

  #answer({ number, result }: TunnelledAnswer): void {
    const pending = this.#settle(number);
    if (pending === undefined) return;
    if (result?.$case === 'response') pending.resolve(result.value);
    else if (result?.$case === 'failure') pending.reject(failureOf(result.value));
    else pending.reject(lost('The answer of a call has no result.'));
  }

  #over(details: string, isBroken: boolean): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    clearTimeout(this.#timer);
    const error = lost(details);
    for (const number of [...this.#pending.keys()]) this.#settle(number)?.reject(error);
    this.options.onEnd(this.#wasOpen, isBroken);
  }
}

/** Opens a stream that tunnels calls. It accepts none before the peer has responded. */
export const openCallStream = (options: CallStreamOptions): CallStream => new OpenedStream(options);
