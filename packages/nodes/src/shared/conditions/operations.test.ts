import { FILTER_OPERATIONS } from '../../descriptors/filter-parameter';
import { DateTime } from 'luxon';
import { compare } from './operations';

const moments = [1_000, 2_000].map((time) => DateTime.fromMillis(time));
const SAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  string: ['', 'a', 'ab', 'ba'],
  number: [1, 2],
  boolean: [true, false],
  dateTime: moments,
  array: [[], [1], [1, 2]],
  object: [{}, { a: 1 }],
};

describe('the operations of conditions', () => {
  const all = Object.entries(FILTER_OPERATIONS).flatMap(([type, operations]) =>
    operations.map(({ value }): [string, string] => [type, value]),
  );

  it.each(all)('%s %s holds for some values and not for others', (type, operation) => {
    const samples = [undefined, ...(SAMPLES[type] ?? [])];
    const second = type === 'array' ? [0, 1, 2] : samples;
    const answers = samples.flatMap((left) =>
      second.map((right) => compare(type, operation, left, right, { ignoreCase: false })),
    );
    expect(new Set(answers)).toEqual(new Set([true, false]));
  });
});
