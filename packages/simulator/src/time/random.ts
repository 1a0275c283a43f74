/** A seeded source of numbers. Equal seeds give equal sequences. */
export interface Random {
  /** A number from 0 to 1, without 1. */
  readonly next: () => number;
  /** A whole number from `from` to `to`, both included. */
  readonly between: (from: number, to: number) => number;
  /** True with this probability. */
  readonly chance: (probability: number) => boolean;
  /** One of these. @throws Error if the list is empty */
  readonly pick: <Value>(values: readonly Value[]) => Value;
  readonly bytes: (count: number) => Buffer;
  /** An independent source, so that more draws of one part do not change the draws of another. */
  readonly fork: (name: string) => Random;
}

const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
};

/** Creates a source (sfc32). */
export const createRandom = (seed: number, name = ''): Random => {
  let a = seed >>> 0;
  let b = hashOf(name);
  let c = 0x9e3779b9;
  let counter = 1;
  const draw = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let round = 0; round < 15; round += 1) draw();
  const next = (): number => draw() / 0x1_0000_0000;
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    pick: (values) => {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new Error('There is nothing to pick from.');
      return value;
    },
    bytes: (count) => {
      const bytes = Buffer.alloc(count);
      for (let index = 0; index < count; index += 1) bytes[index] = draw() & 0xff;
      return bytes;
    },
    fork: (fork) => createRandom(seed, `${name}/${fork}`),
  };
};
