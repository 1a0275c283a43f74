import { join } from 'node:path';
import { openTaskProcesses, type SealChoice, type TaskProcesses, type TaskProgram } from '@weft/sandbox';
import type { ImageTasks } from '../../edit-image/program/image-tasks';
import { MAX_INPUT_BYTES, MAX_RESULT_BYTES, TIME_LIMIT_MS } from './tasks';

/** Processes that work at the same time. */
const MAX_PROCESSES = 2;
/** Twice of what a process has before its first task. */
const IDLE_MB = 256;
/** The memory of a WebAssembly never shrinks. */
const IDLE_IMAGES_MB = 320;

/** V8 would compile its WebAssembly's largest functions at the same time: more than 100 MB for a moment. */
const IMAGES_FLAGS = ['--wasm-num-compilation-tasks=1'];
const IMAGES_PROGRAM = join(__dirname, '..', '..', 'edit-image', 'program', 'images-main.js');

/** Settings of the processes that read and write foreign data. */
export interface FormatsOptions {
  readonly seal: SealChoice;
  /** MiB that one task may use. */
  readonly memoryMb: number;
  /** Milliseconds that one task may take; 30 s if absent. */
  readonly timeoutMs?: number;
  /** Told when they work without a seal because no process can be sealed here, with the reason. */
  readonly onUnsealed?: (reason: Error) => void;
}

/** A program, and how much its processes may have when they are idle. */
const programOf = (path: string, idleMb: number): TaskProgram => ({
  path,
  inputBytes: MAX_INPUT_BYTES,
  resultBytes: MAX_RESULT_BYTES,
  idleMb,
});

const IMAGE_TASKS: readonly string[] = ['editImage', 'describeImage'] satisfies readonly (keyof ImageTasks)[];

/**
 * Opens the processes that read and write foreign data: files, HTML, XML, Markdown, feeds, and images. Those for images
 * are started when the first image is handled.
 */
export const openFormats = (options: FormatsOptions): TaskProcesses => {
  const open = (program: TaskProgram): TaskProcesses =>
    openTaskProcesses({ timeoutMs: TIME_LIMIT_MS, ...options, processes: MAX_PROCESSES, program });
  const documents = open(programOf(join(__dirname, 'formats-main.js'), IDLE_MB));
  let images: TaskProcesses | undefined;
  const openImages = (): TaskProcesses =>
    (images ??= open({ ...programOf(IMAGES_PROGRAM, IDLE_IMAGES_MB), flags: IMAGES_FLAGS }));
  return {
    of: (owner) => ({
      run: (job) => (IMAGE_TASKS.includes(job.kind) ? openImages() : documents).of(owner).run(job),
    }),
    get processIds() {
      return [...documents.processIds, ...(images?.processIds ?? [])];
    },
    ready: () => documents.ready(),
    close: async () => {
      await documents.close();
      await images?.close();
    },
  };
};
