import { status as GrpcCode } from '@grpc/grpc-js';
import { currentContext, withContext } from '@weft/service-kit/context';
import { TimedOut, toServiceError, Unavailable } from '@weft/service-kit/errors';
import {
  fromRpcStatus,
  toRpcStatus,
  type CallContext,
  type CallerOptions,
  type CallOptions,
  type ServiceDefinition,
} from '@weft/service-kit/grpc';
import type { Random } from '../time/random';
import type { Scheduler } from '../time/scheduler';
import { currentProcess, type SimulatedProcess } from '../time/simulated-process';
import type { Endpoint, Endpoints } from './endpoints';
import { fateOf, type Weather } from './faults';

type Method = ServiceDefinition[string];

/** A call between two processes that has no response yet. */
interface OpenCall {
  readonly from: SimulatedProcess | undefined;
  readonly to: Endpoint;
  /** Fails at the caller, and is cancelled at its handler. */
  readonly breakOff: () => void;
}

/** A client of the simulation that has connected to a process under an id. */
interface Connected {
  readonly from: SimulatedProcess | undefined;
  readonly to: Endpoint;
  readonly processId: string;
  readonly onBroken: () => void;
}

/** Dependencies of the calls between processes. */
export interface CallPorts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly endpoints: Endpoints;
  readonly weather: Weather;
}

const BACKGROUND_DEADLINE_MS = 10_000;
/** Milliseconds until the end of a process or of a connection is noticed at the other end. */
const NOTICED_MS = 3;
/** Attempts of a call that the channel repeats, and the pause between them. */
const ATTEMPTS = 4;
const PAUSE_MS = 120;

const lost = (service: string): Unavailable =>
  new Unavailable(
    `The ${service} service cannot be reached. Try again.`,
    Object.assign(new Error('14 UNAVAILABLE: connection lost'), { code: GrpcCode.UNAVAILABLE, details: '' }),
  );

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** The result of a handler: encoded messages, or an error. */
type Reply =
  | { readonly kind: 'messages'; readonly messages: readonly Buffer[] }
  | { readonly kind: 'failed'; readonly status: ReturnType<typeof toRpcStatus> };

/** Calls between simulated processes. Messages are encoded, so that processes share no objects. */
export class SimulatedCalls {
  readonly #open = new Set<OpenCall>();
  readonly #connected = new Map<string, Connected>();

  constructor(readonly ports: CallPorts) {}

  /** Breaks all calls and connections that match, as the exit of a process or a reset of its connections does. */
  breakOff(matches: (from: SimulatedProcess | undefined, to: Endpoint) => boolean): void {
    for (const call of [...this.#open]) if (matches(call.from, call.to)) call.breakOff();
    for (const [key, one] of [...this.#connected]) {
      if (!matches(one.from, one.to)) continue;
      this.#connected.delete(key);
      const { scheduler } = this.ports;
      scheduler.deliver(NOTICED_MS, one.from, one.onBroken);
      scheduler.deliver(NOTICED_MS, one.to.process, () => one.to.onLost(one.processId));
    }
  }

  #connect(to: Endpoint, { processId, onBroken, streams = 0 }: CallerOptions): void {
    const from = currentProcess();
    if (processId === undefined || streams === 0) return;
    const key = `${from?.name} ${to.address} ${to.process.name} ${processId}`;
    if (!this.#connected.has(key))
      this.#connected.set(key, { from, to, processId, onBroken: onBroken ?? (() => undefined) });
  }

  async #handle(
    method: Method,
    to: Endpoint,
    bytes: readonly Buffer[],
    context: CallContext,
    ms: number,
  ): Promise<Reply> {
    const handler = to.handlers.get(method.path);
    try {
      if (handler === undefined) throw new Error(`No handler serves ${method.path}.`);
      const requests = bytes.map((one) => method.requestDeserialize(one));
      const deadline = performance.now() + ms;
      const messages = await withContext({ requestId: context.requestId, deadline }, async () => {
        const request = method.requestStream ? asIterable(requests) : requests[0];
        const result = handler(request, context);
        if (!isIterable(result)) return [await result];
        const all: unknown[] = [];
        for await (const message of result) all.push(message);
        return all;
      });
      return { kind: 'messages', messages: messages.map((message) => method.responseSerialize(message)) };
    } catch (error) {
      return { kind: 'failed', status: toRpcStatus(toServiceError(error)) };
    }
  }

  /** One attempt of a call. @throws ServiceError */
  #attempt(method: Method, requests: readonly Buffer[], options: CallerOptions, call: CallOptions, deadline: number) {
    const { scheduler, random, endpoints, weather } = this.ports;
    const from = currentProcess();
    const { service } = options;
    return new Promise<readonly Buffer[]>((resolve, reject) => {
      const candidates = endpoints.at(options.target);
      const to = candidates.length === 0 ? undefined : random.pick(candidates);
      if (to === undefined) return void scheduler.after(random.next(), () => reject(lost(service)));
      this.#connect(to, options);
      const cancelling = new AbortController();
      const open: OpenCall = {
        from,
        to,
        breakOff: () => {
          this.#open.delete(open);
          scheduler.deliver(NOTICED_MS, from, () => settle(() => reject(lost(service))));
          scheduler.deliver(NOTICED_MS, to.process, () => cancelling.abort());
        },
      };
      let isSettled = false;
      const settle = (end: () => void): void => {
        if (isSettled) return;
        isSettled = true;
        limit.cancel();
        this.#open.delete(open);
        end();
      };
      const limit = scheduler.after(deadline - performance.now(), () => {
        scheduler.deliver(NOTICED_MS, to.process, () => cancelling.abort());
        settle(() => reject(new TimedOut(`The ${service} service did not answer in time.`)));
      });
      this.#open.add(open);
      const send = (towards: SimulatedProcess | undefined, arrived: () => void): void => {
        const fate = fateOf(weather, random);
        if (fate.kind === 'broken') return open.breakOff();
        if (fate.kind === 'arrives') scheduler.deliver(fate.ms, towards, arrived);
      };
      const context = {
        requestId: currentContext()?.requestId ?? `r${random.between(0, 1e9)}`,
        service: serviceOf(from),
        principal: call.principal,
        signal: cancelling.signal,
      };
      send(to.process, () => {
        if (!this.#open.has(open)) return;
        const handled = this.#handle(method, to, requests, context, deadline - scheduler.now());
        void handled.then((reply) =>
          send(from, () =>
            settle(() => (reply.kind === 'failed' ? reject(fromRpcStatus(reply.status)) : resolve(reply.messages))),
          ),
        );
      });
    });
  }

  async #call(name: string, method: Method, requests: readonly unknown[], options: CallerOptions, call: CallOptions) {
    const { scheduler } = this.ports;
    const bytes = requests.map((request) => method.requestSerialize(request));
    const own = currentContext()?.deadline;
    const now = performance.now();
    const deadline =
      own === undefined
        ? now + (call.deadlineMs ?? BACKGROUND_DEADLINE_MS)
        : Math.min(own, now + (call.deadlineMs ?? Number.POSITIVE_INFINITY));
    if (deadline <= now) throw new TimedOut();
    const attempts = options.retried?.includes(name) === true ? ATTEMPTS : 1;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const replies = await this.#attempt(method, bytes, options, call, deadline);
        return replies.map((reply) => method.responseDeserialize(reply));
      } catch (error) {
        const isLost = error instanceof Unavailable && error.cause instanceof Error && 'code' in error.cause;
        if (!isLost || attempt >= attempts || performance.now() + PAUSE_MS >= deadline) throw error;
        await scheduler.pause(PAUSE_MS);
      }
    }
  }

  /** The replacement of `createCaller`. */
  createCaller(definition: ServiceDefinition, options: CallerOptions) {
    const calls = Object.entries(definition).map(([name, method]) => {
      if (method.requestStream)
        return [
          name,
          async (requests: Iterable<unknown> | AsyncIterable<unknown>, call: CallOptions = {}) => {
            const all: unknown[] = [];
            for await (const request of requests) all.push(request);
            return (await this.#call(name, method, all, options, call))[0];
          },
        ];
      if (method.responseStream) {
        const start = (request: unknown, call: CallOptions = {}) => this.#call(name, method, [request], options, call);
        return [
          name,
          async function* read(request: unknown, call: CallOptions = {}): AsyncGenerator<unknown> {
            yield* await start(request, call);
          },
        ];
      }
      return [
        name,
        async (request: unknown, call: CallOptions = {}) =>
          (await this.#call(name, method, [request], options, call))[0],
      ];
    });
    return { calls: Object.fromEntries(calls), close: () => undefined };
  }
}

async function* asIterable(values: readonly unknown[]): AsyncGenerator<unknown> {
  yield* values;
}

/** Processes are named after their service: `executions-1`. */
const serviceOf = (process: SimulatedProcess | undefined): string =>
  process === undefined ? 'gateway' : (process.name.split('-')[0] ?? '');
