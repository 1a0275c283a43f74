import { AsyncLocalStorage } from 'node:async_hooks';
import { type Event, EventHeap } from './event-heap';
import { realImmediate } from './install';
import { currentProcess, type SimulatedProcess, within } from './simulated-process';

/** Ends a wait for an event. */
export interface Scheduled {
  readonly cancel: () => void;
}

/** Virtual time: nothing happens except the events that it runs, one after the other. */
export interface Scheduler {
  /** Virtual milliseconds since the simulation began. */
  readonly now: () => number;
  /** Runs a function later, in the process and context of the caller. */
  readonly after: (ms: number, run: () => void) => Scheduled;
  /** Resolves later, in the process of the caller. */
  readonly pause: (ms: number) => Promise<void>;
  /** Runs a function later in another process, without the context of the caller: the arrival of a message. */
  readonly deliver: (ms: number, to: SimulatedProcess | undefined, run: () => void) => void;
  /** Runs all events up to a time, and lets promises settle after each one. */
  readonly runUntil: (time: number, isOver?: () => boolean) => Promise<void>;
  readonly countEvents: () => number;
}

/** Resolves when no promise can settle any more without another event. */
const settled = (): Promise<void> => new Promise((resolve) => void realImmediate(resolve));

/** Maximum events of one simulation: a loop without a pause is a fault. */
const MAX_EVENTS = 2_000_000;

/** Events between two looks at whether the simulation is over. */
const CHECK_EVERY = 32;

export const createScheduler = (): Scheduler => {
  const heap = new EventHeap();
  let now = 0;
  let order = 0;
  let count = 0;
  const push = (at: number, owner: SimulatedProcess | undefined, run: () => void): Event => {
    order += 1;
    const event: Event = {
      at,
      order,
      isCancelled: false,
      run: () => {
        if (owner === undefined) return run();
        if (!owner.isAlive) return;
        if (owner.frozenUntil > now) return void push(owner.frozenUntil, owner, run);
        run();
      },
    };
    heap.push(event);
    return event;
  };
  const after: Scheduler['after'] = (ms, run) => {
    const event = push(now + Math.max(0, ms), currentProcess(), AsyncLocalStorage.bind(run));
    return {
      cancel: () => {
        event.isCancelled = true;
      },
    };
  };
  return {
    now: () => now,
    after,
    pause: (ms) => new Promise((resolve) => void after(ms, resolve)),
    deliver: (ms, to, run) => void push(now + Math.max(0, ms), to, () => within(to, run)),
    runUntil: async (time, isOver = () => false) => {
      await settled();
      for (let checked = 0; ; checked += 1) {
        if (checked % CHECK_EVERY === 0 && isOver()) break;
        const event = heap.pop();
        if (event === undefined) break;
        if (event.at > time) {
          heap.push(event);
          break;
        }
        if (event.isCancelled) continue;
        now = Math.max(now, event.at);
        count += 1;
        if (count > MAX_EVENTS) throw new Error('The simulation does not come to an end.');
        event.run();
        await settled();
      }
    },
    countEvents: () => count,
  };
};
