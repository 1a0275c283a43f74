import { decodeJob, FRAME } from '../process/frames';
import { BlockingFrames } from './blocking-frames';

/** Room in a frame for the deadline and the kind of a task. */
const JOB_EXTRA_BYTES = 1024;

/** Implementation of a task program. */
export interface TaskWork {
  /** Maximum bytes of the input of one task, and of its result. */
  readonly inputBytes: number;
  readonly resultBytes: number;
  /** Uses everything that is loaded lazily once, while it can still be loaded. */
  readonly warmUp: () => Promise<void>;
  /** Does one task. @throws `TaskOutOfMemory`; other errors belong in the returned bytes */
  readonly run: (kind: string, input: Uint8Array) => Promise<Uint8Array>;
}

/** A task needs more memory than its process may use. */
export class TaskOutOfMemory extends Error {
  constructor(cause: unknown) {
    super('The task needs too much memory.', { cause });
    this.name = 'TaskOutOfMemory';
  }
}

/**
 * Makes this process a program of `openTaskProcesses`: loads, seals itself, and does tasks one after the other until it
 * is killed. Console output of libraries is dropped, because standard output carries responses.
 */
export async function serveTasks(work: TaskWork): Promise<void> {
  const frames = new BlockingFrames(work.inputBytes + JOB_EXTRA_BYTES);
  silenceConsole();
  hideStandardStreams();
  // Libraries leave promises unhandled; a rejected one says nothing about the task.
  process.on('unhandledRejection', () => undefined);
  await work.warmUp();
  // The event loop registers its descriptors when it first polls, by a call that is refused later. An immediate runs
  // after a poll; a timer that is already due runs before the first one.
  await new Promise((resolve) => setImmediate(resolve));
  try {
    const { sealProcess } = await import('../seal/seal.js');
    sealProcess({ memoryMb: Number(process.argv[2]) });
  } catch (error) {
    frames.write([FRAME.unsealed, error instanceof Error ? error.message : String(error)]);
    return;
  }
  const { abort } = process;
  // Nothing could end the current task any more.
  process.once('beforeExit', () => {
    frames.write([FRAME.stopped, '{"stopped":"never"}']);
    abort();
  });
  frames.write([FRAME.ready, '']);
  for (let frame = frames.read(); frame !== undefined; frame = frames.read()) {
    if (frame.kind !== FRAME.job) continue;
    const { code, input } = decodeJob(frame.body);
    await answer(frames, work, Buffer.from(code).toString(), input);
  }
  // A sealed process cannot exit normally: that would restore its terminal.
  abort();
}

async function answer(frames: BlockingFrames, work: TaskWork, kind: string, input: Uint8Array): Promise<void> {
  try {
    const result = await work.run(kind, input);
    if (result.length <= work.resultBytes) frames.writeFrame(FRAME.result, result);
    else frames.write([FRAME.stopped, '{"stopped":"result"}']);
  } catch (error) {
    const stopped = error instanceof TaskOutOfMemory ? 'memory' : 'engine';
    frames.write([FRAME.stopped, JSON.stringify({ stopped })]);
  }
}

/**
 * Node opens these on first access, for example when any stream is piped, and makes its pipes non-blocking: large
 * results could not be written any more.
 */
function hideStandardStreams(): void {
  for (const name of ['stdin', 'stdout', 'stderr']) Object.defineProperty(process, name, { value: undefined });
}

function silenceConsole(): void {
  for (const [name, member] of Object.entries(console))
    if (typeof member === 'function') Reflect.set(console, name, () => undefined);
}
