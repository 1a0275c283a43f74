import type { CodeStop } from '../code/code-runner';
import type { JobInput } from './job-input';
import type { PoolShare } from './pool-share';
import { SealedPool } from './sealed-pool';

/** A task, and its input in the format that the program reads. */
export interface TaskJob {
  readonly kind: string;
  readonly input: Exclude<JobInput, string>;
  /** Aborting ends the task. */
  readonly signal: AbortSignal;
}

/** Outcome of a task: untrusted bytes created by its program, or why there are none. */
export type TaskAnswer =
  { readonly kind: 'result'; readonly result: Uint8Array } | { readonly kind: 'stopped'; readonly reason: CodeStop };

/** Does tasks on untrusted data: without network, files or environment, in bounded time and memory. */
export interface TaskRunner {
  /** Never rejects. */
  run(job: TaskJob): Promise<TaskAnswer>;
}

/** A program based on `serveTasks`. */
export interface TaskProgram {
  /** Absolute path. */
  readonly path: string;
  /** Maximum bytes of the input of one task, and of its result. */
  readonly inputBytes: number;
  readonly resultBytes: number;
  /** MiB above which an idle process is ended, if the system reports its memory. */
  readonly idleMb: number;
  /** Node flags in addition to those of every program. */
  readonly flags?: readonly string[];
}

export interface TaskProcessesOptions {
  readonly program: TaskProgram;
  /** Limits of these processes together with those of other programs. Its creator closes it after them. */
  readonly share: PoolShare;
  /** MiB that one task may use. */
  readonly memoryMb: number;
  /** Milliseconds that one task may take. */
  readonly timeoutMs: number;
  /** Called if the first process cannot be started and sealed. */
  readonly onUnavailable?: (reason: Error) => void;
}

/** Processes that do tasks, each for one owner. */
export interface TaskProcesses {
  /** The runner for the tasks of one owner. */
  of(owner: string): TaskRunner;
  /** Process ids of the current processes. */
  readonly processIds: readonly number[];
  /** Resolves when tasks can run, or are refused because they cannot. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

const FLAGS: readonly string[] = [
  '--disallow-code-generation-from-strings',
  '--disable-proto=delete',
  '--no-warnings',
  // Below the 8 MiB of a main thread's stack, so that deep recursion is an error instead of a crash.
  '--stack-size=3900',
  '--max-semi-space-size=8',
];

/** Opens processes for tasks. Starts the first one immediately, to find out whether it can be sealed. */
export const openTaskProcesses = (options: TaskProcessesOptions): TaskProcesses => {
  const { program, onUnavailable } = options;
  const pool = new SealedPool(options, { ...program, values: [], flags: [...FLAGS, ...(program.flags ?? [])] });
  const opening = pool.open().catch((reason: Error) => onUnavailable?.(reason));
  return {
    of: (owner) => ({
      run: async ({ kind, input, signal }) => {
        const answer = await pool.of(owner).run({ code: kind, input, signal });
        return answer.kind === 'result' ? { kind: 'result', result: answer.report } : answer;
      },
    }),
    get processIds() {
      return pool.processIds;
    },
    ready: () => opening,
    close: () => pool.close(),
  };
};
