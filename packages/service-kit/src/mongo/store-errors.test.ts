import { isDuplicateKey, isTransient, isUnreachable, withStore } from './store-errors';

const fault = (name: string, more: object = {}): Error => Object.assign(new Error(name), { name, ...more });

describe('faults of a store', () => {
  it('say that the server is away, also where a batch wraps the reason', () => {
    for (const error of [fault('MongoNetworkError'), fault('MongoServerSelectionError'), fault('MongoServerError', { code: 10_107 })]) {
      expect(isUnreachable(error)).toBe(true);
      expect(isUnreachable(fault('MongoBulkWriteError', { errorResponse: error }))).toBe(true);
    }
    expect(isUnreachable(fault('MongoBulkWriteError', { code: 11_000, errorResponse: { code: 11_000 } }))).toBe(false);
    expect(isUnreachable(new TypeError('ours'))).toBe(false);
  });

  it('are told apart: taken keys, and what passes', () => {
    expect([isDuplicateKey(fault('MongoServerError', { code: 11_000 })), isTransient(fault('MongoServerError', { code: 11_000 }))]).toEqual([true, false]);
    expect([1, 112, 16_908_292].map((code) => isTransient(fault('MongoServerError', { code })))).toEqual([true, true, true]);
  });

  it('that pass are tried three times; a server that is away is tried once', async () => {
    const tries = { passing: 0, away: 0 };
    const passing = withStore(() => { tries.passing += 1; return Promise.reject(fault('MongoServerError', { code: 1 })); });
    await expect(passing).rejects.toMatchObject({ code: 1 });
    const away = withStore(() => { tries.away += 1; return Promise.reject(fault('MongoNetworkError')); });
    await expect(away).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    expect(tries).toEqual({ passing: 3, away: 1 });
  });
});
