import { retentionErrors } from './retention';

describe('settings.retention', () => {
  it.each([
    [undefined],
    [{}],
    [{ retention: null }],
    [{ retention: { days: 0 } }],
    [{ retention: { days: 3_650, count: 10_000 } }],
  ])('is accepted: %j', (settings) => {
    expect(retentionErrors(settings)).toEqual([]);
  });

  it.each([
    [{ retention: 30 }, 'settings.retention'],
    [{ retention: { days: '30' } }, 'settings.retention.days'],
    [{ retention: { days: 1.5 } }, 'settings.retention.days'],
    [{ retention: { days: 3_651 } }, 'settings.retention.days'],
    [{ retention: { count: -1 } }, 'settings.retention.count'],
    [{ retention: { weeks: 1 } }, 'settings.retention.weeks'],
  ])('is refused with its path: %j', (settings, path) => {
    expect(retentionErrors(settings).map((error) => error.field)).toEqual([path]);
  });
});
