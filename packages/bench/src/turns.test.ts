import { turnsOf } from './turns';

describe('turnsOf', () => {
  const order = (loads: readonly string[], subjects: readonly string[], rounds: number): string =>
    turnsOf(loads, subjects, rounds)
      .map(({ load, round, subject }) => `${load}${round}${subject}`)
      .join(' ');

  it('measures the stacks in turns within each load', () => {
    expect(order(['x', 'y'], ['A', 'B'], 2)).toBe('x0A x0B x1A x1B y0A y0B y1A y1B');
  });

  it('measures a single stack round by round', () => {
    expect(order(['x'], ['A'], 3)).toBe('x0A x1A x2A');
  });
});
