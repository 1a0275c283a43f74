import { AsyncLocalStorage } from 'node:async_hooks';

/** One process of the simulation. Everything that code does asynchronously belongs to the process that began it. */
export interface SimulatedProcess {
  readonly name: string;
  /** False once it was killed: none of its events happens any more. */
  isAlive: boolean;
  /** Virtual time until which none of its events happens. */
  frozenUntil: number;
  /** Error of its wall clock in milliseconds. */
  wallErrorMs: number;
}

const current = new AsyncLocalStorage<SimulatedProcess>();

/** Runs a function without any context of the caller. */
const outside = AsyncLocalStorage.snapshot();

export const createProcess = (name: string): SimulatedProcess => ({
  name,
  isAlive: true,
  frozenUntil: 0,
  wallErrorMs: 0,
});

/** The process to which the running code belongs; undefined for the simulation itself. */
export const currentProcess = (): SimulatedProcess | undefined => current.getStore();

/** Runs a function within a process, without the context of the caller. */
export const within = <Result>(process: SimulatedProcess | undefined, work: () => Result): Result =>
  outside(() => (process === undefined ? work() : current.run(process, work)));
