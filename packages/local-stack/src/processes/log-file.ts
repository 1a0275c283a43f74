import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const TAIL_BYTES = 16_384;

/** The last lines of a log file without empty ones, oldest first; none if there is no such file. */
export function lastLines(file: string, count: number): string[] {
  return readTail(file)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(-count);
}

function readTail(file: string): string {
  let opened: number | undefined;
  try {
    opened = openSync(file, 'r');
    const size = fstatSync(opened).size;
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
    const length = readSync(opened, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8', 0, length);
  } catch {
    return '';
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}
