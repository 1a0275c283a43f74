import { readFileSync } from 'node:fs';

/** Processes that another one has started, and that run a program. */
export const childrenOf = (pid: number, program: string): number[] => {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((one) => one !== '')
    .map(Number);
  return pids.filter((one) => {
    try {
      return readFileSync(`/proc/${one}/cmdline`, 'utf8').includes(program);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
};
