import { RowRefused, sendRows } from './bulk';

const refusing = (codes: Readonly<Record<number, number>>): Error =>
  Object.assign(new Error('some rows were refused'), {
    writeErrors: Object.entries(codes).map(([index, code]) => ({
      err: { index: Number(index), code, errmsg: `code ${code}` },
    })),
  });

describe('a batch of rows', () => {
  it('fails only for the refused rows', async () => {
    const refused = await sendRows(['a', 'b', 'c'], () => Promise.reject(refusing({ 1: 11_000 })));
    expect([...refused].map(([index, error]) => [index, error instanceof RowRefused && error.code])).toEqual([
      [1, 11_000],
    ]);
  });

  it('resends rows with a transient error, and reports errors by the index in the whole batch', async () => {
    const sent: string[][] = [];
    const refused = await sendRows(['a', 'b', 'c', 'd'], (rows) => {
      sent.push([...rows]);
      if (sent.length === 1) return Promise.reject(refusing({ 1: 1, 3: 16_908_292 }));
      return sent.length === 2 ? Promise.reject(refusing({ 1: 11_000 })) : Promise.resolve();
    });
    expect(sent).toEqual([
      ['a', 'b', 'c', 'd'],
      ['b', 'd'],
    ]);
    expect([...refused.keys()]).toEqual([3]);
  });

  it('fails after six tries', async () => {
    let tries = 0;
    const refused = await sendRows(['a'], () => {
      tries += 1;
      return Promise.reject(refusing({ 0: 1 }));
    });
    expect([tries, [...refused.keys()]]).toEqual([6, [0]]);
  });

  it(
    'is unavailable as a whole when the store is, and with another error fails only for the row that caused ' + 'it',
    async () => {
      const away = Object.assign(new Error('gone'), { name: 'MongoNetworkError' });
      await expect(sendRows(['a'], () => Promise.reject(away))).rejects.toMatchObject({
        reason: 'SERVICE_UNAVAILABLE',
      });
      const stored: string[] = [];
      const rows = Array.from({ length: 9 }, (_, index) => (index === 6 ? 'bad' : `good ${index}`));
      const refused = await sendRows(rows, async (part) => {
        if (part.includes('bad')) throw new TypeError('ours');
        stored.push(...part);
      });
      expect([...refused].map(([index, error]) => [index, error.message])).toEqual([[6, 'ours']]);
      expect(stored).toEqual(rows.filter((row) => row !== 'bad'));
    },
  );

  it('reports a row as unavailable if the server reports anything but a refusal of its content', async () => {
    const refused = await sendRows(['a', 'b'], () => Promise.reject(refusing({ 0: 14_031, 1: 121 })));
    expect([...refused.values()].map((error) => (error instanceof RowRefused ? error.code : error.name))).toEqual([
      'ServiceError',
      121,
    ]);
  });

  it('tries few parts of a batch that fails as a whole for a condition of the server', async () => {
    let tries = 0;
    const condition = Object.assign(new Error('disk full'), { name: 'MongoServerError', code: 14_031 });
    const refused = await sendRows(
      Array.from({ length: 200 }, (_, n) => n),
      () => {
        tries += 1;
        return Promise.reject(condition);
      },
    );
    expect(refused.size).toBe(200);
    expect([...refused.values()].every((error) => error.name === 'ServiceError')).toBe(true);
    expect(tries).toBeLessThan(30);
  });
});
