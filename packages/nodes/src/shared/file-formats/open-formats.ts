import { join } from 'node:path';
import { openTaskProcesses, type SealChoice, type TaskProcesses } from '@weft/sandbox';
import { MAX_INPUT_BYTES, MAX_RESULT_BYTES, TIME_LIMIT_MS } from './tasks';

/** Processes that work at the same time. */
const MAX_PROCESSES = 2;
/** Twice of what a process has before its first task. */
const IDLE_MB = 256;

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

/** Opens the processes that read and write foreign data: files, HTML, XML, Markdown, feeds. */
export const openFormats = (options: FormatsOptions): TaskProcesses =>
  openTaskProcesses({
    timeoutMs: TIME_LIMIT_MS,
    ...options,
    processes: MAX_PROCESSES,
    program: {
      path: join(__dirname, 'formats-main.js'),
      inputBytes: MAX_INPUT_BYTES,
      resultBytes: MAX_RESULT_BYTES,
      idleMb: IDLE_MB,
    },
  });
