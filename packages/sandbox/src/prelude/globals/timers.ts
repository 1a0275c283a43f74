import { defineGlobal } from '../define';

interface Timer {
  readonly id: number;
  dueAt: number;
  /** Undefined for a one-shot timer. */
  readonly everyMs: number | undefined;
  readonly run: () => void;
}

/** Maximum number of timers at a time. */
const MAX_TIMERS = 10_000;

/**
 * The timers of a run. They are passive: the program around the realm waits, and then asks for the timers that are due.
 */
export class Timers {
  readonly #timers = new Map<number, Timer>();
  #lastId = 0;

  /** Sets `setTimeout` and related functions. */
  install(): void {
    const clear = (id: unknown): void => void this.#timers.delete(Number(id));
    defineGlobal('setTimeout', (callback: unknown, ms?: unknown, ...values: unknown[]) =>
      this.#add(callback, ms, values, false),
    );
    defineGlobal('setInterval', (callback: unknown, ms?: unknown, ...values: unknown[]) =>
      this.#add(callback, ms, values, true),
    );
    defineGlobal('setImmediate', (callback: unknown, ...values: unknown[]) =>
      this.#add(callback, 'now', values, false),
    );
    defineGlobal('queueMicrotask', (callback: unknown) => void Promise.resolve().then(callable(callback)));
    for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) defineGlobal(name, clear);
  }

  /** True once a timer was created. */
  get areUsed(): boolean {
    return this.#lastId > 0;
  }

  /** Milliseconds until the next timer; undefined if there is none. */
  msToNext(): number | undefined {
    const next = this.#next();
    return next === undefined ? undefined : Math.max(0, next.dueAt - Date.now());
  }

  /** Runs the next timer if it is due. Returns false if there was none. */
  runNext(): boolean {
    const next = this.#next();
    if (next === undefined || next.dueAt > Date.now()) return false;
    if (next.everyMs === undefined) this.#timers.delete(next.id);
    else next.dueAt = Date.now() + next.everyMs;
    next.run();
    return true;
  }

  #next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers.values()) if (next === undefined || timer.dueAt < next.dueAt) next = timer;
    return next;
  }

  #add(callback: unknown, ms: unknown, values: readonly unknown[], repeats: boolean): number {
    const called = callable(callback);
    if (this.#timers.size >= MAX_TIMERS) throw new RangeError(`More than ${MAX_TIMERS} timers are waiting`);
    const delay = ms === 'now' ? 0 : Math.max(1, Math.min(2 ** 31 - 1, Number(ms) || 0));
    this.#lastId += 1;
    this.#timers.set(this.#lastId, {
      id: this.#lastId,
      dueAt: Date.now() + delay,
      everyMs: repeats ? delay : undefined,
      run: () => called(...values),
    });
    return this.#lastId;
  }
}

function callable(value: unknown): (...values: readonly unknown[]) => void {
  if (typeof value !== 'function')
    throw new TypeError(
      `The "callback" argument must be of type function. Received ${value === null ? 'null' : typeof value}`,
    );
  return (...values) => void Reflect.apply(value, undefined, values);
}
