import type { KindCases } from '../testing/node-case';

const items = [{ d: '2024-02-28T10:30:00.000Z' }];

export const dateTimeCases: KindCases = {
  kind: 'dateTime',
  cases: [
    {
      it: "formats a date with moment's tokens and includes the item",
      versions: [1],
      run: { items, parameters: { value: '={{ $json.d }}', toFormat: 'DD.MM.YYYY' } },
      gives: [[{ ...items[0], data: '28.02.2024' }]],
    },
    {
      it: 'adds to a date',
      versions: [1],
      run: { items, parameters: { action: 'calculate', value: '={{ $json.d }}', duration: 2, timeUnit: 'days' } },
      gives: [[{ ...items[0], data: '2024-03-01T10:30:00.000Z' }]],
    },
    {
      it: 'outputs the current date by default, without the item',
      versions: [2],
      run: { items, now: Date.UTC(2024, 0, 1) },
      gives: [[{ currentDate: '2024-01-01T00:00:00.000Z' }]],
    },
    {
      it: "formats a date with Luxon's signs",
      versions: [2],
      run: {
        items,
        parameters: { operation: 'formatDate', date: '={{ $json.d }}', format: 'custom', customFormat: 'dd.LL.yyyy' },
      },
      gives: [[{ formattedDate: '28.02.2024' }]],
    },
    {
      it: 'includes the item if asked for',
      versions: [2],
      run: {
        items,
        parameters: {
          operation: 'extractDate',
          date: '={{ $json.d }}',
          part: 'year',
          options: { includeInputFields: true },
        },
      },
      gives: [[{ ...items[0], datePart: 2024 }]],
      pairs: [[{ item: 0 }]],
    },
  ],
};
