import type { Random } from '../time/random';
import type { Scheduler } from '../time/scheduler';
import { createProcess, currentProcess, type SimulatedProcess } from '../time/simulated-process';
import { REPLACED } from '../time/install';

/** A child process as its program creates it. */
interface Worker {
  readonly onMessage: (message: unknown) => void;
  readonly stop: () => Promise<void>;
}

/** A program that a runner starts as a child process. */
export type Program = (send: (message: object) => void) => Worker;

/** The options of the runner's own supervisor that have a meaning here. */
interface ChildOptions {
  readonly program: string;
  readonly tellProgressed: (executionIds: readonly string[]) => void;
  readonly read: (value: unknown) => unknown;
  readonly onMessage: (message: unknown) => void;
  readonly onExit: () => void;
  readonly createId?: () => string;
  readonly onDied?: (id: string) => void;
}

/** A running child process. */
export interface Child {
  readonly process: SimulatedProcess;
  readonly parent: SimulatedProcess;
  readonly kill: () => void;
}

export interface ChildrenPorts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly programOf: (path: string) => Program;
  /** Ends the connections of a process that has exited. */
  readonly onExit: (process: SimulatedProcess) => void;
}

const START_MS = 300;
const IDLE_MS = 60_000;
const PIPE_MS = 0.2;

const isKind = (value: unknown, kind: string): boolean =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;

/** The child processes of runners: each is a separate simulated process with the program of the real one. */
export class Children {
  readonly running = new Set<Child>();
  readonly #ids = new Map<SimulatedProcess, string>();
  #count = 0;

  constructor(readonly ports: ChildrenPorts) {}

  createRunnerId(port: number): string {
    const id = `runner${port}.${REPLACED.ids.uuidv7()}`;
    const process = currentProcess();
    if (process !== undefined) this.#ids.set(process, id);
    return id;
  }

  /** Id by which a process holds runs; undefined before it has one. */
  idOf(process: SimulatedProcess): string | undefined {
    return this.#ids.get(process);
  }

  idOfThisChild(): string {
    const process = currentProcess();
    return (process === undefined ? undefined : this.#ids.get(process)) ?? '';
  }

  /** The replacement of the runner's supervisor of a child process. */
  createChildProcess(options: ChildOptions) {
    const { scheduler } = this.ports;
    let child:
      { readonly running: Child; readonly send: (message: object) => void; readonly end: () => void } | undefined;
    let idle: { readonly cancel: () => void } | undefined;
    const end = (): void => child?.end();
    const gone = (code: number, id: string | undefined): void => {
      child = undefined;
      idle?.cancel();
      if (code !== 0 && id !== undefined) options.onDied?.(id);
      options.onExit();
    };
    return {
      isOpen: () => child !== undefined,
      start: () => {
        if (child === undefined) child = this.#start(options, gone);
      },
      send: (message: object) => child?.send(message),
      recheck: (executionIds: readonly string[]) => child?.send({ kind: 'recheck', executionIds }),
      follow: (executionIds: readonly string[]) => child?.send({ kind: 'follow', executionIds }),
      setIdle: (isIdle: boolean) => {
        idle?.cancel();
        idle = isIdle ? scheduler.after(IDLE_MS, end) : undefined;
      },
      stop: async () => {
        idle?.cancel();
        end();
      },
    };
  }

  #start(options: ChildOptions, gone: (code: number, id: string | undefined) => void) {
    const { scheduler, programOf, onExit } = this.ports;
    const parent = currentProcess();
    if (parent === undefined) throw new Error('Only a process has children.');
    this.#count += 1;
    const process = createProcess(`${parent.name}.child${this.#count}`);
    const id = options.createId?.();
    if (id !== undefined) this.#ids.set(process, id);
    let worker: Worker | undefined;
    let isOver = false;
    const exit = (code: number): void => {
      if (isOver) return;
      isOver = true;
      process.isAlive = false;
      this.running.delete(running);
      onExit(process);
      scheduler.deliver(1, parent, () => gone(code, id));
    };
    const running: Child = { process, parent, kill: () => exit(137) };
    this.running.add(running);
    const toParent = (message: object): void => {
      scheduler.deliver(PIPE_MS, parent, () => {
        if (isOver || isKind(message, 'alive')) return;
        if (isKind(message, 'progressed') && 'executionIds' in message && Array.isArray(message.executionIds))
          return options.tellProgressed(message.executionIds);
        const read = options.read(message);
        if (read !== undefined) options.onMessage(read);
      });
    };
    scheduler.deliver(START_MS, process, () => {
      worker = programOf(options.program)(toParent);
    });
    return {
      running,
      send: (message: object) => {
        const copy: object = structuredClone(message);
        const arrive = (): void => {
          if (worker === undefined) scheduler.deliver(START_MS, process, arrive);
          else worker.onMessage(copy);
        };
        scheduler.deliver(PIPE_MS, process, arrive);
      },
      end: () =>
        scheduler.deliver(PIPE_MS, process, () => {
          if (worker === undefined) return exit(0);
          void worker.stop().then(
            () => exit(0),
            () => exit(1),
          );
        }),
    };
  }

  /** A process was killed, and its children with it. */
  killOf(parent: SimulatedProcess): void {
    for (const child of [...this.running]) if (child.parent === parent) child.kill();
  }
}
