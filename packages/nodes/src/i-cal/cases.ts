import type { KindCases } from '../testing/cases/node-case';

const parameters = { title: 'Launch', start: '2024-01-03T10:00:00Z', end: '2024-01-03T11:00:00Z' };

export const iCalCases: KindCases = {
  kind: 'iCal',
  cases: [
    {
      it: 'writes the event of each item into a file',
      versions: [1],
      run: { items: [{ a: 1 }, { a: 2 }], parameters: { ...parameters, binaryPropertyName: 'event' } },
      gives: [[{}, {}]],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'reports an invalid time',
      versions: [1],
      run: { parameters: { ...parameters, start: 'soon' } },
      fails: 'The parameter "start" must be a date and time, but it is "soon"',
    },
  ],
};
