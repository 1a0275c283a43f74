import { readFileSync } from 'node:fs';
import { startStack, type Stack } from '@weft/local-stack';

/** What the five processes may have in memory together once they have started: 505 to 525 measured, 610 before 0238. */
const MAX_MIB = 570;

const residentMiB = (pid: number): number => {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kib === undefined) throw new Error(`Process ${pid} has ended.`);
  return Number(kib) / 1024;
};

describe('a stack that has nothing to do', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.stop());

  it('holds little memory', () => {
    const held = stack.processes.map(({ service, pid }) => [service, Math.round(residentMiB(pid))] as const);
    const sum = held.reduce((total, [, mib]) => total + mib, 0);
    expect(sum <= MAX_MIB ? 'little' : held).toBe('little');
  });
});
