import type { FromWorker, ToWorker, WorkerThread } from './protocol';

/** The answer to a question; `timeout` if it took too long, `unavailable` if there is no worker. */
export type Answer = FromWorker | { readonly kind: 'timeout' } | { readonly kind: 'unavailable' };

type Question = Extract<ToWorker, { readonly id: number }>;

interface Ask {
  readonly message: Question;
  readonly limitMs: number;
  readonly resolve: (answer: Answer) => void;
}

/** @param fail is called if the worker cannot run */
export type StartWorker = (receive: (message: FromWorker) => void, fail: () => void) => WorkerThread;

/**
 * Asks a worker one question at a time, the newest first: it is of the field that is being edited. A worker that takes
 * too long is replaced.
 */
export class WorkerQueue {
  readonly #startWorker: StartWorker;
  readonly #setUp: () => readonly ToWorker[];
  readonly #setUpMs: number;
  #worker: WorkerThread | undefined;
  #isReady = false;
  #hasFailed = false;
  #id = 0;
  readonly #asks: Ask[] = [];
  #current: { readonly ask: Ask; readonly timer: ReturnType<typeof setTimeout> } | undefined;

  /**
   * @param setUp what each new worker is given
   * @param setUpMs milliseconds in which it takes that
   */
  constructor(startWorker: StartWorker, setUp: () => readonly ToWorker[], setUpMs: number) {
    this.#startWorker = startWorker;
    this.#setUp = setUp;
    this.#setUpMs = setUpMs;
  }

  /** Gives the worker something, if there is one. */
  post(message: ToWorker): void {
    this.#worker?.post(message);
  }

  /** Gives the worker something that it needs time for; that time does not count for the next question. */
  postLong(message: ToWorker): void {
    if (this.#worker === undefined) return;
    this.post(message);
    this.#askFirst();
  }

  /** Asks the worker. @param limitMs milliseconds from the time at which it begins with the question */
  ask(make: (id: number) => Question, limitMs: number): Promise<Answer> {
    this.#start();
    this.#id += 1;
    const message = make(this.#id);
    return new Promise((resolve) => {
      this.#asks.unshift({ message, limitMs, resolve });
      this.#next();
    });
  }

  /** Ends the worker; open questions get no answer. */
  close(): void {
    this.#end({ kind: 'unavailable' });
    for (const { resolve } of this.#asks.splice(0)) resolve({ kind: 'unavailable' });
  }

  #start(): void {
    if (this.#worker !== undefined || this.#hasFailed) return;
    this.#isReady = false;
    this.#worker = this.#startWorker(
      (message) => this.#receive(message),
      () => this.#fail(),
    );
    for (const message of this.#setUp()) this.post(message);
    this.#askFirst();
  }

  #askFirst(): void {
    this.#id += 1;
    const message = { kind: 'ping', id: this.#id } as const;
    this.#asks.unshift({ message, limitMs: this.#setUpMs, resolve: () => undefined });
    this.#next();
  }

  #next(): void {
    if (this.#hasFailed) return this.close();
    if (this.#current !== undefined || !this.#isReady) return;
    const ping = this.#asks.findIndex(({ message }) => message.kind === 'ping');
    const [ask] = this.#asks.splice(Math.max(0, ping), 1);
    if (ask === undefined) return;
    this.#current = { ask, timer: setTimeout(() => this.#replace(), ask.limitMs) };
    this.post(ask.message);
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'ready') {
      this.#isReady = true;
      return this.#next();
    }
    if (this.#current?.ask.message.id !== message.id) return;
    const { ask, timer } = this.#current;
    clearTimeout(timer);
    this.#current = undefined;
    ask.resolve(message);
    this.#next();
  }

  #replace(): void {
    this.#end({ kind: 'timeout' });
    if (this.#asks.length > 0) this.#start();
  }

  #fail(): void {
    this.#hasFailed = true;
    this.close();
  }

  #end(answer: Answer): void {
    this.#worker?.stop();
    this.#worker = undefined;
    const current = this.#current;
    this.#current = undefined;
    clearTimeout(current?.timer);
    current?.ask.resolve(answer);
  }
}
