import type { Random } from '../time/random';
import type { Scheduler } from '../time/scheduler';
import { currentProcess, type SimulatedProcess } from '../time/simulated-process';
import { fateOf, type Weather } from './faults';

/** A message as the services read it. */
export interface BrokerMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers?: { readonly code: number };
  readonly respond: (data: Uint8Array) => void;
}

type Callback = (error: null, message: BrokerMessage) => void;

interface Subscription {
  readonly subject: string;
  readonly queue: string | undefined;
  readonly process: SimulatedProcess | undefined;
  readonly callback: Callback;
}

interface QueueNames {
  readonly stream: string;
  readonly consumer: string;
  readonly subject?: string;
  readonly ackWaitMs?: number;
}

interface Stored {
  readonly data: Uint8Array;
  readonly at: number;
  /** Virtual time from which it is delivered (again). */
  dueAt: number;
}

interface Stream {
  readonly created: string;
  readonly messages: Map<number, Stored>;
  readonly ids: Map<string, number>;
}

interface Pull {
  readonly process: SimulatedProcess | undefined;
  left: number;
  readonly until: number;
  readonly onMessage: (message: object) => void;
  readonly end: () => void;
}

export interface BrokerPorts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly weather: Weather;
  readonly wall: () => number;
}

const DEDUPE_MS = 120_000;
const DEFAULT_ACK_WAIT_MS = 30_000;
const NO_RESPONDERS = 503;

const fits = (pattern: string, subject: string): boolean =>
  pattern === subject || (pattern.endsWith('.*') && subject.startsWith(pattern.slice(0, -1)));

/** The broker: core messages, and work queues with acknowledgements. Every message may be lost. */
export class SimulatedBroker {
  isUp = true;
  readonly #subscriptions = new Set<Subscription>();
  readonly #streams = new Map<string, Stream>();
  readonly #pulls = new Map<string, Pull[]>();
  readonly #reconnected = new Set<{ readonly process: SimulatedProcess | undefined; readonly callback: () => void }>();
  #count = 0;

  constructor(readonly ports: BrokerPorts) {}

  /** Goes down or comes back; `isWiped`: with nothing stored. */
  setUp(isUp: boolean, isWiped: boolean): void {
    if (isWiped) this.#streams.clear();
    const wasUp = this.isUp;
    this.isUp = isUp;
    if (!isUp || wasUp) return;
    for (const { process, callback } of this.#reconnected) this.ports.scheduler.deliver(1, process, callback);
  }

  #send(to: SimulatedProcess | undefined, arrived: () => void): void {
    const { scheduler, random, weather } = this.ports;
    const fate = fateOf(weather, random);
    if (fate.kind === 'arrives') scheduler.deliver(fate.ms, to, arrived);
  }

  publish(subject: string, data: Uint8Array, reply?: string): void {
    if (!this.isUp) return;
    const live = [...this.#subscriptions].filter((one) => one.process?.isAlive !== false && fits(one.subject, subject));
    const groups = new Map<string, Subscription[]>();
    const receivers = live.filter((one) => one.queue === undefined);
    for (const one of live) if (one.queue !== undefined) groups.set(one.queue, [...(groups.get(one.queue) ?? []), one]);
    for (const members of groups.values()) receivers.push(this.ports.random.pick(members));
    const respond = (answer: Uint8Array): void => {
      if (reply !== undefined) this.publish(reply, answer);
    };
    for (const { process, callback } of receivers)
      this.#send(process, () => callback(null, { subject, data: Buffer.from(data), respond }));
    if (receivers.length === 0 && reply !== undefined) this.#refuse(reply);
  }

  #refuse(reply: string): void {
    for (const { subject, process, callback } of this.#subscriptions)
      if (fits(subject, reply))
        this.#send(process, () =>
          callback(null, {
            subject: reply,
            data: Buffer.alloc(0),
            headers: { code: NO_RESPONDERS },
            respond: () => undefined,
          }),
        );
  }

  /** The replacement of a connection. */
  connect() {
    const subscribe = (subject: string, options: { readonly queue?: string; readonly callback: Callback }) => {
      const subscription = { subject, queue: options.queue, process: currentProcess(), callback: options.callback };
      this.#subscriptions.add(subscription);
      const unsubscribe = (): void => void this.#subscriptions.delete(subscription);
      return { unsubscribe, drain: async () => unsubscribe() };
    };
    return {
      isClosed: () => false,
      publish: (subject: string, data: Uint8Array, { reply }: { readonly reply?: string } = {}) =>
        this.publish(subject, data, reply),
      subscribe,
      jetstreamManager: async () => ({
        streams: {
          info: async (stream: string) => {
            const found = this.#streams.get(stream);
            if (found === undefined || !this.isUp) throw Object.assign(new Error('not found'), { code: '404' });
            return { created: found.created };
          },
        },
      }),
    };
  }

  onReconnected(callback: () => void): void {
    this.#reconnected.add({ process: currentProcess(), callback });
  }

  ensure({ stream }: QueueNames): void {
    if (!this.isUp) throw new Error('NATS is unavailable.');
    if (this.#streams.has(stream)) return;
    this.#count += 1;
    this.#streams.set(stream, { created: `stream ${this.#count}`, messages: new Map(), ids: new Map() });
  }

  /** Stores a message in a queue; resolves when the broker has it. */
  async publishToQueue(queue: QueueNames, data: Uint8Array, messageId: string): Promise<void> {
    const { scheduler, random, weather } = this.ports;
    const fate = fateOf(weather, random);
    await scheduler.pause(fate.kind === 'arrives' ? fate.ms : 5);
    if (fate.kind === 'broken' || !this.isUp) throw new Error('The broker does not answer.');
    this.ensure(queue);
    const stream = this.#streams.get(queue.stream);
    const known = stream?.ids.get(messageId);
    if (stream === undefined || fate.kind === 'lost') return;
    if (known !== undefined && known > scheduler.now() - DEDUPE_MS) return;
    stream.ids.set(messageId, scheduler.now());
    this.#count += 1;
    stream.messages.set(this.#count, { data: Buffer.from(data), at: this.ports.wall(), dueAt: scheduler.now() });
    this.#pump(queue);
  }

  oldestWaiting({ stream }: QueueNames): Date | undefined {
    if (!this.isUp) throw new Error('The broker does not answer.');
    const found = this.#streams.get(stream);
    if (found === undefined) throw new Error('There is no such queue.');
    const waiting = [...found.messages.values()].filter(({ dueAt }) => dueAt <= this.ports.scheduler.now());
    return waiting.length === 0 ? undefined : new Date(Math.min(...waiting.map(({ at }) => at)));
  }

  #deliver(queue: QueueNames, stream: Stream, id: number, stored: Stored, pull: Pull, pending: number): void {
    const { scheduler } = this.ports;
    stored.dueAt = scheduler.now() + (queue.ackWaitMs ?? DEFAULT_ACK_WAIT_MS);
    scheduler.deliver(queue.ackWaitMs ?? DEFAULT_ACK_WAIT_MS, undefined, () => this.#pump(queue));
    pull.left -= 1;
    this.#send(pull.process, () =>
      pull.onMessage({
        data: stored.data,
        pending,
        ack: () => this.#send(undefined, () => stream.messages.delete(id)),
        nak: (delayMs: number) =>
          this.#send(undefined, () => {
            stored.dueAt = scheduler.now() + delayMs;
            scheduler.deliver(delayMs, undefined, () => this.#pump(queue));
          }),
      }),
    );
  }

  #pump(queue: QueueNames): void {
    const { scheduler, random } = this.ports;
    const stream = this.#streams.get(queue.stream);
    if (stream === undefined || !this.isUp) return;
    for (const [id, stored] of stream.messages) {
      if (stored.dueAt > scheduler.now()) continue;
      const open = (this.#pulls.get(queue.stream) ?? []).filter(
        ({ left, until, process }) => left > 0 && until > scheduler.now() && process?.isAlive !== false,
      );
      this.#pulls.set(queue.stream, open);
      if (open.length === 0) return;
      const pull = random.pick(open);
      this.#deliver(queue, stream, id, stored, pull, stream.messages.size - 1);
      if (pull.left <= 0) scheduler.deliver(1, pull.process, pull.end);
    }
  }

  /** The replacement of `openPulls`. */
  openPulls(queue: QueueNames, onMessage: (message: object) => void) {
    const { scheduler } = this.ports;
    return {
      pull: (count: number, expiresMs: number): Promise<void> =>
        new Promise((resolve, reject) => {
          if (!this.isUp) return reject(new Error('not connected'));
          const process = currentProcess();
          const pull: Pull = { process, left: count, until: scheduler.now() + expiresMs, onMessage, end: resolve };
          this.#pulls.set(queue.stream, [...(this.#pulls.get(queue.stream) ?? []), pull]);
          scheduler.after(expiresMs, resolve);
          scheduler.deliver(1, undefined, () => this.#pump(queue));
        }),
      drain: () => Promise.resolve(),
    };
  }
}
