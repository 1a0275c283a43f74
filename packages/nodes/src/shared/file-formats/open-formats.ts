import { join } from 'node:path';
import { createPoolShare, openTaskProcesses, type TaskProcesses, type TaskProgram } from '@weft/sandbox';
import type { ImageTasks } from '../../edit-image/program/image-tasks';
import { MAX_INPUT_BYTES, MAX_RESULT_BYTES, TIME_LIMIT_MS } from './tasks';

/** Processes that work at the same time, besides the one for owners who have none under way. */
const PROCESSES = 1;
/** Processes that are held for their owners or ready for the next one. */
const HELD = 2;
/** MiB that an idle process may have, and that all processes of Node share of it. */
const IDLE_MB = 192;
const SHARED_MB = 50;

/** The processes for foreign data that there may be, and MiB that each has of its own. */
export const FORMATS_PROCESSES = {
  working: PROCESSES + 1,
  held: HELD,
  /** At work, besides what a task may use. */
  ownMb: 80,
  /** Held. */
  heldMb: IDLE_MB - SHARED_MB,
} as const;

/** V8 would compile its WebAssembly's largest functions at the same time: more than 100 MB for a moment. */
const IMAGES_FLAGS = ['--wasm-num-compilation-tasks=1'];
const IMAGES_PROGRAM = join(__dirname, '..', '..', 'edit-image', 'program', 'images-main.js');

/** Settings of the processes that read and write foreign data. */
export interface FormatsOptions {
  /** MiB that one task may use. */
  readonly memoryMb: number;
  /** Milliseconds that one task may take; 30 s if absent. */
  readonly timeoutMs?: number;
  /** Told if the first process cannot be started and sealed. */
  readonly onUnavailable?: (reason: Error) => void;
}

/** A program, and the limits of its tasks. */
const programOf = (path: string): TaskProgram => ({
  path,
  inputBytes: MAX_INPUT_BYTES,
  resultBytes: MAX_RESULT_BYTES,
  idleMb: IDLE_MB,
});

const IMAGE_TASKS: readonly string[] = ['editImage', 'describeImage'] satisfies readonly (keyof ImageTasks)[];

/**
 * Opens the processes that read and write foreign data: files, HTML, XML, Markdown, feeds, and images. Those for images
 * are started when the first image is handled, and count together with the others.
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
      share.turns.close();
      await documents.close();
      await images?.close();
    },
  };
};
