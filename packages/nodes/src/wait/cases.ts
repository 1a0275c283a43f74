import type { KindCases } from '../testing/node-case';

const items = [{ n: 1 }, { n: 2 }];

/** The promises of Wait for a wait that has ended. */
export const waitCases: KindCases = {
  kind: 'wait',
  cases: [
    {
      it: 'lets its items pass when there is nothing to wait for',
      versions: [1, 1.1],
      run: { items, parameters: { amount: 0, unit: 'seconds' } },
      gives: [items],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'lets its items pass when the moment is over',
      versions: [1, 1.1],
      run: { items, parameters: { resume: 'specificTime', dateTime: '2001-01-01T00:00:00Z' } },
      gives: [items],
    },
    {
      it: 'refuses to wait for less than nothing',
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
      it: 'refuses a moment that is none',
      versions: [1, 1.1],
      run: { items, parameters: { resume: 'specificTime', dateTime: 'tomorrow' } },
      fails: 'Invalid date and time',
    },
  ],
};
