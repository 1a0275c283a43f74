import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { FormatError, type FormatTasks, type WorkerAnswer, type WorkerOrder } from './tasks';

/** Maximum number of concurrent workers. */
const MAX_WORKERS = 2;
/** Maximum number of tasks that wait for one. */
const MAX_WAITING = 1_000;
const TIME_LIMIT_MS = 30_000;
/** Heap of one worker. */
const HEAP_MB = 512;

let working = 0;
const waiting: (() => void)[] = [];

const takeTurn = async (): Promise<void> => {
  if (working < MAX_WORKERS) {
    working += 1;
    return;
  }
  if (waiting.length >= MAX_WAITING)
    throw new FormatError('Too many files are being read and written at once. Try again later.');
  await new Promise<void>((resolve) => waiting.push(resolve));
};

/** The task that has waited longest is next. */
const endTurn = (): void => {
  const next = waiting.shift();
  if (next === undefined) working -= 1;
  else next();
};

const failureOf = (error: Error): FormatError => {
  const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return new FormatError(
    isMemory ? 'The file needs too much memory. Use a smaller one.' : `The file cannot be handled: ${error.message}`,
    error,
  );
};

const inWorker = <Kind extends keyof FormatTasks>(
  order: WorkerOrder<Kind>,
  signal: AbortSignal,
): Promise<FormatTasks[Kind]['output']> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(join(__dirname, 'worker.js'), {
      workerData: order,
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 32 },
    });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      settle();
      void worker.terminate();
    };
    const stop = (): void => end(() => reject(new FormatError('The run was stopped.')));
    const timer = setTimeout(
      () =>
        end(() =>
          reject(new FormatError(`The file took longer than ${TIME_LIMIT_MS / 1_000} seconds. Use a smaller one.`)),
        ),
      TIME_LIMIT_MS,
    );
    signal.addEventListener('abort', stop, { once: true });
    // Output of libraries means nothing to users.
    worker.stdout.resume();
    worker.stderr.resume();
    worker.once('message', (answer: WorkerAnswer<Kind>) =>
      end(() => ('error' in answer ? reject(new FormatError(answer.error)) : resolve(answer.output))),
    );
    worker.once('error', (error) => end(() => reject(failureOf(error))));
    worker.once('exit', () =>
      end(() => reject(new FormatError('The file cannot be handled: reading it ended early.'))),
    );
  });

/**
 * Reads or writes a file in isolation: the effect of a hostile file ends with its worker, which has its own heap, no
 * environment and a time limit.
 * @throws FormatError
 */
export const runFormatTask = async <Kind extends keyof FormatTasks>(
  kind: Kind,
  input: FormatTasks[Kind]['input'],
  signal: AbortSignal,
): Promise<FormatTasks[Kind]['output']> => {
  await takeTurn();
  try {
    if (signal.aborted) throw new FormatError('The run was stopped.');
    return await inWorker({ kind, input }, signal);
  } finally {
    endTurn();
  }
};
