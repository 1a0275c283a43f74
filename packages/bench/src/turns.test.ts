import { turnsOf } from './turns';

describe('turnsOf', () => {
  const order = (loads: readonly string[], subjects: readonly string[], rounds: number): string =>
    turnsOf(loads, subjects, rounds)
      .map(({ load, round, subject }) => `${load}${round}${subject}`)
      .join(' ');

  it('alternates the stacks within each load, each as often before the other as after it', () => {
    expect(order(['x', 'y'], ['A', 'B'], 2)).toBe('x0A x0B x1B x1A y0A y0B y1B y1A');
  });

  it('measures a single stack round by round', () => {
    expect(order(['x'], ['A'], 3)).toBe('x0A x1A x2A');
  });
});
