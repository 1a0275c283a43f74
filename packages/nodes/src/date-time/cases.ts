import type { KindCases } from '../testing/cases/node-case';

const items = [{ d: '2024-02-28T10:30:00.000Z' }];
const DATE = '={{ $json.d }}';

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
      it: "formats a date with Luxon's tokens",
      versions: [2],
      run: {
        items,
        parameters: { operation: 'formatDate', date: '={{ $json.d }}', format: 'custom', customFormat: 'dd.LL.yyyy' },
      },
      gives: [[{ formattedDate: '28.02.2024' }]],
    },
    {
      it: 'includes the item if configured',
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
    {
      it: 'subtracts from a date',
      versions: [1],
      run: { items, parameters: { action: 'calculate', operation: 'subtract', value: DATE, duration: 1 } },
      gives: [[{ ...items[0], data: '2024-02-27T10:30:00.000Z' }]],
    },
    {
      it: 'reports a value that is not a date',
      versions: [1],
      run: { items: [{ d: 'soon' }], parameters: { value: '={{ $json.d }}' } },
      fails: 'could not be recognized',
    },
    ...(
      [
        [
          { operation: 'addToDate', magnitude: DATE, duration: 1, timeUnit: 'months' },
          { newDate: '2024-03-28T10:30:00.000Z' },
        ],
        [{ operation: 'subtractFromDate', magnitude: DATE, duration: 1 }, { newDate: '2024-02-27T10:30:00.000Z' }],
        [{ operation: 'roundDate', date: DATE, toNearest: 'hour' }, { roundedDate: '2024-02-28T10:00:00.000Z' }],
        [{ operation: 'roundDate', mode: 'roundUp', date: DATE }, { roundedDate: '2024-03-01T00:00:00.000Z' }],
        [
          { operation: 'getTimeBetweenDates', startDate: DATE, endDate: '2024-03-01T10:30:00.000Z' },
          { timeDifference: { days: 2 } },
        ],
      ] as const
    ).map(([parameters, result]) => ({
      it: `computes (${parameters.operation}${'mode' in parameters ? `, ${parameters.mode}` : ''})`,
      versions: [2],
      run: { items, parameters },
      gives: [[result]],
      pairs: [[{ item: 0 }]],
    })),
    ...(['addToDate', 'subtractFromDate', 'roundDate', 'extractDate'] as const).map((operation) => ({
      it: `rejects a value that is not a date (${operation})`,
      versions: [2],
      run: { items, parameters: { operation, magnitude: 'soon', date: 'soon', duration: 1 } },
      fails: 'Invalid date format',
    })),
    {
      it: 'outputs only the error at its error output',
      versions: [2],
      run: {
        items: [{ d: '2024-01-01' }, { d: 'soon' }],
        parameters: { operation: 'formatDate', date: '={{ $json.d }}', format: 'yyyy' },
        node: { onError: 'continueErrorOutput' },
      },
      gives: [[{ formattedDate: '2024' }], [{ error: 'Invalid date format' }]],
      pairs: [[{ item: 0 }], [undefined]],
    },
  ],
};
