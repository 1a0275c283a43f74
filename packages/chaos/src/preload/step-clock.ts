import { readFileSync } from 'node:fs';
import { replaceClock } from './replace-clock';

/*
 * Loaded into a service before its own code (NODE_OPTIONS --require): the wall clock that it and its child processes
 * read is ahead by the milliseconds in the file that CHAOS_CLOCK_FILE names, read ten times a second.
 */
const READ_MS = 100;

const file = process.env['CHAOS_CLOCK_FILE'] ?? '';
let aheadMs = 0;

const read = (): void => {
  try {
    aheadMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    // the file does not exist until the first step
    aheadMs = 0;
  }
};

if (file !== '') {
  replaceClock(() => aheadMs);
  read();
  setInterval(read, READ_MS).unref();
}
