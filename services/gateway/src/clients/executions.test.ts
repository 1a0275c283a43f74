import { splitByBytes } from './executions';

const sizes = (inputs: readonly number[], maxBytes: number): number[][] =>
  splitByBytes(
    inputs.map((size) => ({ input: Buffer.alloc(size) })),
    maxBytes,
  ).map((list) => list.map(({ input }) => input.length));

describe('a list of starts', () => {
  it.each([
    [[1, 2, 3], [[1, 2, 3]]],
    [
      [6, 4, 1],
      [[6, 4], [1]],
    ],
    [
      [20, 1, 20],
      [[20], [1], [20]],
    ],
    [[], []],
  ])('%j is split at 10 bytes into %j, in order', (inputs, expected) => {
    expect(sizes(inputs, 10)).toEqual(expected);
  });
});
