import type { KindCases } from '../testing/cases/node-case';

const now = Date.UTC(2024, 0, 2, 3, 4, 5);

export const scheduleTriggerCases: KindCases = {
  kind: 'scheduleTrigger',
  cases: [
    {
      it: 'outputs the time in the zone of the workflow',
      versions: [1, 1.1, 1.2, 1.3, 1.4],
      run: { isStart: true, items: [{}], now, timezone: 'America/New_York' },
      gives: [
        [
          {
            timestamp: '2024-01-01T22:04:05.000-05:00',
            'Readable date': 'January 1st 2024, 10:04:05 pm',
            'Readable time': '10:04:05 pm',
            'Day of week': 'Monday',
            Year: '2024',
            Month: 'January',
            'Day of month': '01',
            Hour: '22',
            Minute: '04',
            Second: '05',
            Timezone: 'America/New_York (UTC-05:00)',
          },
        ],
      ],
    },
  ],
};

export const cronCases: KindCases = {
  kind: 'cron',
  cases: [
    {
      it: 'outputs the data of the scheduled start',
      versions: [1, 1.1, 2],
      run: { isStart: true, mode: 'trigger', items: [{}] },
      gives: [[{}]],
    },
  ],
};

export const intervalCases: KindCases = {
  kind: 'interval',
  cases: [
    {
      it: 'outputs the data of the scheduled start',
      versions: [1],
      run: { isStart: true, mode: 'trigger', items: [{}] },
      gives: [[{}]],
    },
  ],
};
