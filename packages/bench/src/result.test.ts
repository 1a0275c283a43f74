import type { Measured } from './loads/load';
import { summarise } from './result';

const LOAD = { name: 'x', title: 'a load', per: 'run' } as const;

const measured = (perSecond: number, runnerMs: number, count = 10, failed = 0): Measured => ({
  count,
  failed,
  figures: [{ key: 'perSecond', label: 'rate', unit: '/s', value: perSecond }],
  cpu: new Map([
    ['gateway', 20],
    ['runner', runnerMs],
  ]),
});

describe('the summary of a load', () => {
  it('divides the CPU time of each process, and of all together, by the runs of the round', () => {
    const { subjects } = summarise(LOAD, new Map([['this', [measured(5, 40), measured(5, 60, 5)]]]), undefined);
    const rounds = Object.fromEntries(subjects[0]?.figures.map((figure) => [figure.key, figure.rounds]) ?? []);
    expect(rounds).toEqual({ perSecond: [5, 5], cpu: [6, 16], 'cpu.gateway': [2, 4], 'cpu.runner': [4, 12] });
  });

  it('adds up runs and failures', () => {
    const { subjects } = summarise(
      LOAD,
      new Map([['this', [measured(5, 1, 10, 1), measured(5, 1, 20, 2)]]]),
      undefined,
    );
    expect(subjects[0]).toMatchObject({ count: 30, failed: 3 });
  });

  it('compares every stack with the reference, round by round', () => {
    const rounds = new Map([
      ['this', [measured(20, 30), measured(8, 30), measured(22, 30)]],
      ['other', [measured(10, 60), measured(4, 60), measured(10, 60)]],
    ]);
    const { ratios } = summarise(LOAD, rounds, 'other');
    expect(ratios.map(({ subject }) => subject)).toEqual(['this', 'this', 'this', 'this']);
    expect(ratios).toContainEqual({ subject: 'this', key: 'perSecond', median: 2, min: 2, max: 2.2 });
    expect(ratios).toContainEqual({ subject: 'this', key: 'cpu.runner', median: 0.5, min: 0.5, max: 0.5 });
  });

  it('compares nothing where there is one stack', () => {
    expect(summarise(LOAD, new Map([['this', [measured(1, 1)]]]), undefined).ratios).toEqual([]);
  });
});
