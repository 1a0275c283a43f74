import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { median } from '../statistics';

const TIMES = 5;

/** Runs the program as the first thing that the process does, and prints its time. */
const timed = (code: string): string =>
  `const began = performance.now(); (() => {${code}})(); process.stdout.write(String(performance.now() - began));`;

/**
 * Milliseconds of a program in plain Node: the first run in a fresh process, without the start of the process. The
 * median of five processes.
 * @param nodeProgram the Node to use
 */
export const measurePlainProgram = async (nodeProgram: string, code: string): Promise<number> => {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const { stdout } = await promisify(execFile)(nodeProgram, ['-e', timed(code)]);
    times.push(Number(stdout));
  }
  return median(times);
};
