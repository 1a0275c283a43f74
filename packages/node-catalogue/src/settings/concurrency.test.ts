import type { Json } from '@weft/service-kit/json';
import { concurrencyErrors, concurrencyOf } from './concurrency';

const pathsOf = (concurrency: Json): string[] =>
  concurrencyErrors({ settings: { concurrency } }).map(({ field }) => field);

describe('settings.concurrency', () => {
  it('defaults to the workflow itself as the key, and to a queue', () => {
    expect(concurrencyOf({ limit: 2 })).toEqual({ key: '', limit: 2, whenFull: 'queue' });
    expect(concurrencyOf({ key: '={{ $json.id }}', limit: 1, whenFull: 'skip' })).toEqual({
      key: '={{ $json.id }}',
      limit: 1,
      whenFull: 'skip',
    });
    expect([concurrencyOf(undefined), concurrencyOf(null), concurrencyOf({ limit: 0 })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('reports the path of each wrong field, and nothing if it is valid or not set', () => {
    expect([
      pathsOf(null),
      pathsOf({ limit: 1 }),
      pathsOf({ key: 'a', limit: 1_000, whenFull: 'cancel-oldest' }),
    ]).toEqual([[], [], []]);
    expect(pathsOf([])).toEqual(['settings.concurrency']);
    expect(pathsOf({})).toEqual(['settings.concurrency.limit']);
    expect(pathsOf({ limit: 1.5, key: 7, whenFull: 'drop', max: 1 })).toEqual([
      'settings.concurrency.max',
      'settings.concurrency.key',
      'settings.concurrency.limit',
      'settings.concurrency.whenFull',
    ]);
    expect(pathsOf({ limit: 1_001 })).toEqual(['settings.concurrency.limit']);
  });
});
