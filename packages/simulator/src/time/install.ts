import type { Random } from './random';
import type { Scheduled, Scheduler } from './scheduler';
import { currentProcess } from './simulated-process';

/** The source of time and randomness: another one for each seed. */
export interface Source {
  readonly scheduler: Scheduler;
  /** For ids, tokens, jitter, and the lateness of timers. */
  readonly random: Random;
}

/** Wall clock at the beginning of every simulation. */
export const EPOCH = Date.parse('2030-01-01T00:00:00Z');

/** Maximum lateness of a timer, in milliseconds. */
const LATE_MS = 1;

/** Node's own function: this module is loaded before anything is replaced. */
export const realImmediate = setImmediate;

let source: Source | undefined;

/** Sets the source of time and randomness of all code that runs from here on. */
export const useSource = (next: Source): void => {
  source = next;
};

const given = (): Source => {
  if (source === undefined) throw new Error('No simulation is running.');
  return source;
};

/** Monotonic virtual milliseconds; 0 while modules are loaded. */
const monotonic = (): number => source?.scheduler.now() ?? 0;

/** Wall clock of the current process. */
const wall = (): number => Math.floor(EPOCH + monotonic() + (currentProcess()?.wallErrorMs ?? 0));

type Callback = (...parameters: unknown[]) => void;

/** A timer as Node returns it. */
class VirtualTimer {
  #scheduled: Scheduled | undefined;
  constructor(
    private readonly callback: () => void,
    private readonly ms: number,
    private readonly repeats: boolean,
  ) {
    this.refresh();
  }

  refresh(): this {
    this.cancel();
    const { scheduler, random } = given();
    this.#scheduled = scheduler.after(this.ms + random.next() * LATE_MS, () => {
      this.#scheduled = undefined;
      if (this.repeats) this.refresh();
      this.callback();
    });
    return this;
  }

  cancel(): void {
    this.#scheduled?.cancel();
    this.#scheduled = undefined;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return this.#scheduled !== undefined;
  }

  close(): this {
    this.cancel();
    return this;
  }
}

const delayOf = (ms: unknown): number => (typeof ms === 'number' && ms >= 1 ? ms : 1);

const cancel = (timer: unknown): void => {
  if (timer instanceof VirtualTimer) timer.cancel();
};

const timers = {
  setTimeout: (callback: Callback, ms?: number, ...parameters: unknown[]) =>
    new VirtualTimer(() => callback(...parameters), delayOf(ms), false),
  setInterval: (callback: Callback, ms?: number, ...parameters: unknown[]) =>
    new VirtualTimer(() => callback(...parameters), delayOf(ms), true),
  setImmediate: (callback: Callback, ...parameters: unknown[]) => {
    const scheduled = given().scheduler.after(0, () => callback(...parameters));
    return { ref: () => undefined, unref: () => undefined, hasRef: () => true, cancel: scheduled.cancel };
  },
  clearTimeout: cancel,
  clearInterval: cancel,
  clearImmediate: (immediate: unknown) => {
    if (typeof immediate !== 'object' || immediate === null || !('cancel' in immediate)) return;
    if (typeof immediate.cancel === 'function') immediate.cancel();
  },
};

const sleep = <Value>(ms: number, value?: Value, options: { readonly signal?: AbortSignal } = {}): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const { signal } = options;
    const abort = (): void => {
      timer.cancel();
      reject(signal?.reason instanceof Error ? signal.reason : new Error('The sleep was aborted.'));
    };
    const timer = new VirtualTimer(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      },
      delayOf(ms),
      false,
    );
    if (signal?.aborted === true) return abort();
    signal?.addEventListener('abort', abort, { once: true });
  });

const virtualDate = (): DateConstructor => {
  const RealDate = Date;
  RealDate.now = wall;
  const proxy: DateConstructor = new Proxy(RealDate, {
    construct: (target, parameters: unknown[], newTarget: object): object =>
      parameters.length === 0 && newTarget === proxy
        ? new target(wall())
        : Reflect.construct(
            target,
            parameters,
            typeof newTarget === 'function' && newTarget !== proxy ? newTarget : target,
          ),
  });
  return proxy;
};

const uuid = (): string => {
  const bytes = given().random.bytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

let sequence = 0;

/** An id of version 7 by the wall clock of the current process. */
const uuidv7 = (): string => {
  sequence = (sequence + 1) & 0xfff;
  const random = given().random.bytes(8);
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  const head = wall().toString(16).padStart(12, '0') + (0x7000 | sequence).toString(16) + random.toString('hex');
  return [head.slice(0, 8), head.slice(8, 12), head.slice(12, 16), head.slice(16, 20), head.slice(20)].join('-');
};

/** Restarts the sequence of ids: a seed gives the same ids whatever ran before. */
export const resetIds = (): void => {
  sequence = 0;
};

/** Functions that replace those of Node's modules and of service-kit, by module. */
export const REPLACED = {
  'node:timers': timers,
  'node:timers/promises': { setTimeout: sleep, setImmediate: (value?: unknown) => sleepUntilNextTick(value) },
  'node:crypto': {
    randomUUID: uuid,
    randomBytes: (count: number) => given().random.bytes(count),
    randomInt: (from: number, to?: number) =>
      to === undefined ? given().random.between(0, from - 1) : given().random.between(from, to - 1),
  },
  ids: { uuidv7 },
} as const;

const sleepUntilNextTick = (value: unknown): Promise<unknown> =>
  new Promise((resolve) => void timers.setImmediate(() => resolve(value)));

/** Replaces the globals by which code reads time and randomness, before that code is loaded. */
export const installGlobals = (): void => {
  Object.assign(globalThis, timers, { Date: virtualDate() });
  Object.defineProperty(performance, 'now', { value: monotonic });
  Object.assign(Math, { random: () => source?.random.next() ?? 0.5 });
  const hrtime = (): [number, number] => [Math.floor(monotonic() / 1_000), Math.floor((monotonic() % 1_000) * 1e6)];
  Object.defineProperty(process, 'hrtime', {
    value: Object.assign(hrtime, { bigint: () => BigInt(Math.floor(monotonic() * 1e6)) }),
  });
};
