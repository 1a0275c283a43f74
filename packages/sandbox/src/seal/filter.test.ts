import type { Instruction } from './filter';
import { ANSWER, BPF, encodeFilter, sealFilter, skipAdvice } from './filter';
import type { SealArchitecture } from './system-calls';
import { sealArchitecture } from './system-calls';

const PROCESS_ID = 4_711;

/** A system call as seen by a filter. */
interface Call {
  readonly audit: number;
  readonly number: number;
  readonly values?: readonly number[];
}

/** Evaluates a filter like the kernel's interpreter of classic BPF. */
const answerTo = (filter: readonly Instruction[], { audit, number, values = [] }: Call): number => {
  let accumulator = 0;
  for (let at = 0; ; at += 1) {
    const [code, ifTrue, ifFalse, operand] = filter[at] ?? [];
    if (code === undefined || operand === undefined) throw new Error('The filter ends without an answer.');
    if (code === BPF.answer) return operand;
    if (code === BPF.load) {
      accumulator = operand === 0 ? number : operand === 4 ? audit : (values[(operand - 16) / 8] ?? 0);
      continue;
    }
    const isTrue =
      code === BPF.equal
        ? accumulator === operand
        : code === BPF.atLeast
          ? accumulator >= operand
          : (accumulator & operand) !== 0;
    at += (isTrue ? ifTrue : ifFalse) ?? 0;
  }
};

const architectureOf = (arch: string): SealArchitecture => {
  const found = sealArchitecture('linux', arch);
  if (found === undefined) throw new Error(`There is no seal for ${arch}.`);
  return found;
};

describe.each(['x64', 'arm64'])('the filter of a sealed process on %s', (arch) => {
  const architecture = architectureOf(arch);
  const { audit, allowed, fatal, special } = architecture;
  const filter = sealFilter(architecture, PROCESS_ID);
  const answers = (number: number, ...values: readonly number[]): number => answerTo(filter, { audit, number, values });

  it('allows the calls of its table, kills the process for calls of attacks, and refuses the rest', () => {
    const permitted = new Set([...Object.values(allowed), special.madvise]);
    const deadly = new Set(Object.values(fatal));
    for (let number = 0; number < 600; number += 1) {
      const wanted = permitted.has(number) ? ANSWER.allow : deadly.has(number) ? ANSWER.kill : ANSWER.refuse;
      expect([number, answers(number)]).toEqual([number, wanted]);
    }
  });

  it('allows anonymous memory, but no mapped files', () => {
    const MAP_PRIVATE = 2;
    const MAP_ANONYMOUS = 0x20;
    expect(answers(special.mmap, 0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS)).toBe(ANSWER.allow);
    expect(answers(special.mmap, 0, 4096, 3, MAP_PRIVATE, 1)).toBe(ANSWER.refuse);
  });

  it('allows signals only to the process itself', () => {
    expect(answers(special.tgkill, PROCESS_ID, 1, 6)).toBe(ANSWER.allow);
    expect(answers(special.tgkill, PROCESS_ID + 1, 1, 6)).toBe(ANSWER.refuse);
  });

  it('turns one advice about memory into a no-op, and allows every other call', () => {
    const skipping = skipAdvice(architecture, 10);
    expect(answerTo(skipping, { audit, number: special.madvise, values: [4096, 4096, 10] })).toBe(ANSWER.skip);
    expect(answerTo(skipping, { audit, number: special.madvise, values: [4096, 4096, 11] })).toBe(ANSWER.allow);
    expect(answerTo(skipping, { audit, number: special.mmap, values: [4096, 4096, 10] })).toBe(ANSWER.allow);
  });

  it('kills a process that uses call numbers of another architecture', () => {
    expect(answerTo(filter, { audit: audit ^ 1, number: allowed['read'] ?? 0 })).toBe(ANSWER.kill);
    expect(answers(0x40000000)).toBe(architecture.foreignFrom === undefined ? ANSWER.refuse : ANSWER.kill);
  });

  it("is within the kernel's size limit", () => {
    expect(filter.length).toBeLessThan(4_096);
    expect(encodeFilter(filter)).toHaveLength(filter.length * 8);
  });
});

it.each([
  ['darwin', 'arm64'],
  ['win32', 'x64'],
  ['linux', 'riscv64'],
])('there is no seal for %s on %s', (platform, arch) => {
  expect(sealArchitecture(platform, arch)).toBeUndefined();
});
