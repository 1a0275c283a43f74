import { join } from 'node:path';
import { createPoolShare, openTaskProcesses, type TaskProcesses, type TaskProgram } from '@weft/sandbox';
import type { ImageTasks } from '../../edit-image/program/image-tasks';
import { MAX_INPUT_BYTES, MAX_RESULT_BYTES, TIME_LIMIT_MS } from './tasks';

/** Processes that work at the same time, not counting the one for owners that have none active. */
const PROCESSES = 1;
/** Processes that are reserved for their owners or ready for the next one. */
const HELD = 2;
/** MiB that an idle process may use, and how much of it all Node processes share. */
const IDLE_MB = 192;
const SHARED_MB = 50;

/** Maximum number of processes for untrusted data, and the unshared MiB of each. */
export const FORMATS_PROCESSES = {
  working: PROCESSES + 1,
  held: HELD,
  /** Active, on top of the memory of a task. */
  ownMb: 80,
  /** Reserved. */
  heldMb: IDLE_MB - SHARED_MB,
} as const;

/** V8 would compile the largest functions of WebAssembly in parallel, which briefly takes more than 100 MB. */
const IMAGES_FLAGS = ['--wasm-num-compilation-tasks=1'];
const IMAGES_PROGRAM = join(__dirname, '..', '..', 'edit-image', 'program', 'images-main.js');

/** Options of the processes that read and write untrusted data. */
export interface FormatsOptions {
  /** Memory limit of one task in MiB. */
  readonly memoryMb: number;
  /** Time limit of one task in milliseconds; 30 s by default. */
  readonly timeoutMs?: number;
  /** Called with the reason if the first process cannot be started and sealed. */
  readonly onUnavailable?: (reason: Error) => void;
}

/** A program and the limits of its tasks. */
const programOf = (path: string): TaskProgram => ({
  path,
  inputBytes: MAX_INPUT_BYTES,
  resultBytes: MAX_RESULT_BYTES,
  idleMb: IDLE_MB,
});

const IMAGE_TASKS: readonly string[] = ['editImage', 'describeImage'] satisfies readonly (keyof ImageTasks)[];

/**
 * Opens the processes that read and write untrusted data: files, HTML, XML, Markdown, feeds and images. The processes
 * for images start with the first image and count towards the same limit.
 */
export const openFormats = (options: FormatsOptions): TaskProcesses => {
  const share = createPoolShare({ processes: PROCESSES, held: HELD });
  const open = (program: TaskProgram): TaskProcesses =>
    openTaskProcesses({ timeoutMs: TIME_LIMIT_MS, ...options, share, program });
  const documents = open(programOf(join(__dirname, 'formats-main.js')));
  let images: TaskProcesses | undefined;
  const openImages = (): TaskProcesses => (images ??= open({ ...programOf(IMAGES_PROGRAM), flags: IMAGES_FLAGS }));
  return {
    of: (owner) => ({
      run: (job) => (IMAGE_TASKS.includes(job.kind) ? openImages() : documents).of(owner).run(job),
    }),
    get processIds() {
      return [...documents.processIds, ...(images?.processIds ?? [])];
    },
    ready: () => documents.ready(),
    close: async () => {
      share.places.close();
      await documents.close();
      await images?.close();
    },
  };
};
