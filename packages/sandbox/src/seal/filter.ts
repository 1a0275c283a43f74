import { Buffer } from 'node:buffer';
import type { SealArchitecture } from './system-calls';

/** One instruction of classic BPF, `struct sock_filter`: code, jumps if true and if false, operand. */
export type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number];

/** Operations of classic BPF that filters use. */
export const BPF = { load: 0x20, equal: 0x15, atLeast: 0x35, anyBit: 0x45, answer: 0x06 } as const;

/** Return values of a filter. */
export const ANSWER = {
  allow: 0x7fff0000,
  /** The call fails with EPERM. */
  refuse: 0x00050001,
  /** The call is skipped and succeeds. */
  skip: 0x00050000,
  /** The process is killed by SIGSYS. */
  kill: 0x80000000,
} as const;

/** Offsets in `struct seccomp_data`. For arguments, the lower half, on little-endian machines. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const argumentAt = (index: number): number => 16 + 8 * index;

const MAP_ANONYMOUS = 0x20;
const INSTRUCTION_BYTES = 8;

/** The filter of a sealed process. It may compute, allocate anonymous memory, use open descriptors, and end itself. */
export const sealFilter = (
  { audit, foreignFrom, allowed, fatal, special }: SealArchitecture,
  processId: number,
): Instruction[] => {
  const answer = (value: number): Instruction => [BPF.answer, 0, 0, value];
  const whenCalled = (number: number, value: number): Instruction[] => [[BPF.equal, 0, 1, number], answer(value)];
  return [
    [BPF.load, 0, 0, ARCHITECTURE_AT],
    [BPF.equal, 1, 0, audit],
    answer(ANSWER.kill),
    [BPF.load, 0, 0, NUMBER_AT],
    ...(foreignFrom === undefined ? [] : [[BPF.atLeast, 0, 1, foreignFrom] as const, answer(ANSWER.kill)]),
    ...Object.values(allowed).flatMap((number) => whenCalled(number, ANSWER.allow)),
    ...Object.values(fatal).flatMap((number) => whenCalled(number, ANSWER.kill)),
    ...whenCalled(special.madvise, ANSWER.allow),
    [BPF.equal, 0, 4, special.mmap],
    [BPF.load, 0, 0, argumentAt(3)],
    [BPF.anyBit, 0, 1, MAP_ANONYMOUS],
    answer(ANSWER.allow),
    answer(ANSWER.refuse),
    // A process aborts by sending a signal to itself.
    [BPF.equal, 0, 4, special.tgkill],
    [BPF.load, 0, 0, argumentAt(0)],
    [BPF.equal, 0, 1, processId],
    answer(ANSWER.allow),
    answer(ANSWER.refuse),
    answer(ANSWER.refuse),
  ];
};

/**
 * A filter that refuses one system call of a process and its children, whatever its arguments, and allows all others.
 */
export const refuseCall = (number: number): Instruction[] => [
  [BPF.load, 0, 0, NUMBER_AT],
  [BPF.equal, 0, 1, number],
  [BPF.answer, 0, 0, ANSWER.refuse],
  [BPF.answer, 0, 0, ANSWER.allow],
];

/** A filter under which `madvise` with this advice is a no-op, and all other calls are allowed. */
export const skipAdvice = ({ special }: SealArchitecture, advice: number): Instruction[] => [
  [BPF.load, 0, 0, NUMBER_AT],
  [BPF.equal, 0, 3, special.madvise],
  [BPF.load, 0, 0, argumentAt(2)],
  [BPF.equal, 0, 1, advice],
  [BPF.answer, 0, 0, ANSWER.skip],
  [BPF.answer, 0, 0, ANSWER.allow],
];

/** A filter as an array of `struct sock_filter`. */
export const encodeFilter = (filter: readonly Instruction[]): Buffer => {
  const bytes = Buffer.alloc(filter.length * INSTRUCTION_BYTES);
  for (const [index, [code, ifTrue, ifFalse, operand]] of filter.entries()) {
    const at = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, at);
    bytes[at + 2] = ifTrue;
    bytes[at + 3] = ifFalse;
    bytes.writeUInt32LE(operand, at + 4);
  }
  return bytes;
};
