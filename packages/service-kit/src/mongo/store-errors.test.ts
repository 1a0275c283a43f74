import mongoose from 'mongoose';
import { addProbe, isDuplicateKey, isTransient, isUnreachable, withStore } from './store-errors';

const errorOf = (name: string, more: object = {}): Error => Object.assign(new Error(name), { name, ...more });

describe('errors of the database', () => {
  it('report that the server is unreachable, also if a batch error wraps the reason', () => {
    for (const error of [
      errorOf('MongoNetworkError'),
      errorOf('MongoServerSelectionError'),
      errorOf('MongoServerError', { code: 10_107 }),
    ]) {
      expect(isUnreachable(error)).toBe(true);
      expect(isUnreachable(errorOf('MongoBulkWriteError', { errorResponse: error }))).toBe(true);
    }
    expect(isUnreachable(errorOf('MongoBulkWriteError', { code: 11_000, errorResponse: { code: 11_000 } }))).toBe(
      false,
    );
    expect(isUnreachable(new TypeError('ours'))).toBe(false);
  });

  it('report the server unreachable for any unanswered call, but not for unsent calls', () => {
    const { MongoServerClosedError, MongoInvalidArgumentError, MongoBulkWriteError } = mongoose.mongo;
    const cleared = errorOf('PoolClearedOnNetworkError', { address: 'a:1' });
    const lost = [
      cleared,
      new MongoServerClosedError('closed'),
      errorOf('MongoOperationTimeoutError'),
      errorOf('MongoStalePrimaryError'),
      errorOf('MongoNamedLaterError'),
      errorOf('MongooseError'),
      errorOf('Error', { syscall: 'read', code: 'ECONNRESET' }),
      errorOf('Error', { code: 'EPIPE' }),
    ];
    for (const error of lost) {
      expect([error.name, isUnreachable(error)]).toEqual([error.name, true]);
      const batch = Object.assign(Object.create(MongoBulkWriteError.prototype), { errorResponse: error });
      expect([error.name, isUnreachable(batch)]).toEqual([error.name, true]);
    }
    for (const error of [
      new MongoInvalidArgumentError('too large'),
      errorOf('MongoServerError', { code: 10_334 }),
      errorOf('CastError'),
      errorOf('BSONError'),
    ])
      expect([error.name, isUnreachable(error)]).toEqual([error.name, false]);
  });

  it('are classified as duplicate keys and transient errors', () => {
    expect([
      isDuplicateKey(errorOf('MongoServerError', { code: 11_000 })),
      isTransient(errorOf('MongoServerError', { code: 11_000 })),
    ]).toEqual([true, false]);
    expect([1, 112, 16_908_292].map((code) => isTransient(errorOf('MongoServerError', { code })))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each([6, 13, 26, 91, 251, 8_000, 14_031, 16_500, 16_777_245])(
    'are a condition of the server unless they concern the document: code %i',
    async (code) => {
      const failing = withStore(() => Promise.reject(errorOf('MongoServerError', { code })));
      await expect(failing).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 5 });
    },
  );

  it.each([2, 9, 14, 121, 10_334, 11_000, 17_419])(
    'are final for a document that the server refuses, while its readiness probe succeeds: code %i',
    async (code) => {
      const write = () => withStore(() => Promise.reject(errorOf('MongoServerError', { code })));
      await expect(write()).rejects.toMatchObject({ code });
      const remove = addProbe(() => Promise.resolve(false));
      await expect(write()).rejects.toMatchObject(code === 11_000 ? { code } : { kind: 'unavailable' });
      remove();
    },
  );

  it('that are transient are tried six times; an unreachable server is tried once', async () => {
    const tries = { passing: 0, away: 0 };
    const passing = withStore(() => {
      tries.passing += 1;
      return Promise.reject(errorOf('MongoServerError', { code: 1 }));
    });
    await expect(passing).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE', cause: { code: 1 } });
    const away = withStore(() => {
      tries.away += 1;
      return Promise.reject(errorOf('MongoNetworkError'));
    });
    await expect(away).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    expect(tries).toEqual({ passing: 6, away: 1 });
  });
});
