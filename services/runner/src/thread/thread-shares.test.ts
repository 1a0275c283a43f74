import { createThreadShares } from './thread-shares';

describe('the shares of owners in a thread', () => {
  let now = 0;
  const shares = () => createThreadShares(() => now);
  beforeEach(() => {
    now = 0;
  });

  it('are exceeded by an owner whose runs use the thread for long in total, and not by others', () => {
    const { began, had } = shares();
    began('healthy');
    began('hostile');
    expect([1, 2, 3].map(() => had('hostile', 700))).toEqual([false, false, true]);
    expect(had('healthy', 100)).toBe(false);
  });

  it('are never exceeded by an owner without others, now or in the last ten seconds', () => {
    const { began, had } = shares();
    began('alone');
    for (let run = 0; run < 10; run += 1) expect(had('alone', 700)).toBe(false);
    began('other');
    expect(had('alone', 700)).toBe(true);
    now += 9_999;
    began('alone');
    expect(had('alone', 3_000)).toBe(true);
    now += 1;
    expect(had('alone', 3_000)).toBe(false);
  });

  it('pause an owner until its use is back to a fifth, however many runs of the owner wait', () => {
    const { began, had, restMs } = shares();
    began('healthy');
    began('hostile');
    had('hostile', 2_100);
    expect([restMs('hostile'), restMs('healthy')]).toEqual([500, 0]);
    now += 400;
    expect(restMs('hostile')).toBe(100);
    now += 100;
    expect(restMs('hostile')).toBe(0);
    had('hostile', 200);
    expect(restMs('hostile')).toBe(1_000);
  });

  it('may be a fifth permanently, and ignore pieces too short to delay others', () => {
    const { began, had } = shares();
    began('healthy');
    began('steady');
    for (let second = 0; second < 60; second += 1) {
      now += 1_000;
      began('healthy');
      expect(had('steady', 200)).toBe(false);
      for (let turn = 0; turn < 50; turn += 1) expect(had('steady', 20)).toBe(false);
    }
  });
});
