import { outputOf } from '../testing/cases/run-kind';

const now = Date.parse('2023-12-28T12:34:56.789Z');
const parts = {
  timestamp: '2023-12-28T13:34:56.789+01:00',
  'Readable date': 'December 28th 2023, 1:34:56 pm',
  'Readable time': '1:34:56 pm',
  'Day of week': 'Thursday',
  Year: '2023',
  Month: 'December',
  'Day of month': '28',
  Hour: '13',
  Minute: '34',
  Second: '56',
  Timezone: 'Europe/Berlin (UTC+01:00)',
};

describe('scheduleTrigger', () => {
  it('outputs the parts of the time in the zone of the workflow', async () => {
    expect(await outputOf('scheduleTrigger', { isStart: true, now, timezone: 'Europe/Berlin' })).toEqual([parts]);
  });

  it('outputs the due time, however late it starts', async () => {
    expect(
      await outputOf('scheduleTrigger', { isStart: true, now: now + 60_000, mode: 'trigger', items: [parts] }),
    ).toEqual([parts]);
  });

  it('outputs the data of the call when started manually with data', async () => {
    expect(await outputOf('scheduleTrigger', { isStart: true, items: [{ n: 1 }] })).toEqual([{ n: 1 }]);
  });
});

describe.each(['cron', 'interval'])('%s', (kind) => {
  it('outputs the data that the run was started with', async () => {
    expect(await outputOf(kind, { isStart: true, mode: 'trigger' })).toEqual([{}]);
    expect(await outputOf(kind, { isStart: true, items: [{ n: 1 }] })).toEqual([{ n: 1 }]);
  });
});

describe('the readable date', () => {
  it.each([
    ['01', '1st'],
    ['02', '2nd'],
    ['03', '3rd'],
    ['04', '4th'],
    ['11', '11th'],
    ['12', '12th'],
    ['13', '13th'],
    ['22', '22nd'],
    ['31', '31st'],
  ])('of day %s is %s', async (day, text) => {
    const [item] = await outputOf('scheduleTrigger', { isStart: true, now: Date.parse(`2024-01-${day}T00:00:00Z`) });
    expect(item).toMatchObject({ 'Readable date': expect.stringContaining(`January ${text} 2024`) });
  });
});
