import type { KindCases } from '../testing/cases/node-case';

const items = [{ n: 1 }, { n: 2 }];

/** The cases of Wait for a wait that has ended. */
export const waitCases: KindCases = {
  kind: 'wait',
  cases: [
    {
      it: 'passes its items on when there is nothing to wait for',
      versions: [1, 1.1],
      run: { items, parameters: { amount: 0, unit: 'seconds' } },
      gives: [items],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'passes its items on when the moment is over',
      versions: [1, 1.1],
      run: { items, parameters: { resume: 'specificTime', dateTime: '2001-01-01T00:00:00Z' } },
      gives: [items],
    },
    {
      it: 'rejects a negative time',
      versions: [1, 1.1],
      run: { items, parameters: { amount: -1, unit: 'seconds' } },
      fails: 'Invalid wait amount',
    },
    ...(['webhook', 'form'] as const).map((resume) => ({
      it: `waits for a caller (${resume})`,
      versions: [1, 1.1],
      run: { items, parameters: { resume } },
      waits: { kind: 'webhook', settings: { channel: { $case: resume } } },
    })),
    {
      it: 'rejects an invalid moment',
      versions: [1, 1.1],
      run: { items, parameters: { resume: 'specificTime', dateTime: 'tomorrow' } },
      fails: 'Invalid date and time',
    },
  ],
};
