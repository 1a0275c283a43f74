import { setTimeout } from 'node:timers/promises';
import { Metadata, status } from '@grpc/grpc-js';
import { createGuard } from './breaker';

const REFUSED = 'The executions service is unavailable. Try again.';
/** Enough failures to open a breaker. */
const MANY = 25;

const failure = (code: status, metadata = new Metadata()): Error =>
  Object.assign(new Error('failed'), { code, metadata });
const answered = (): Metadata => {
  const metadata = new Metadata();
  metadata.set('grpc-status-details-bin', Buffer.from('a reason'));
  return metadata;
};

const guardOf = (countsDeadlines: boolean, resetMs?: number) =>
  createGuard({
    service: 'executions',
    capacity: 100,
    countsDeadlines,
    ...(resetMs === undefined ? {} : { resetMs }),
  });
type Guard = ReturnType<typeof guardOf>;

const failOften = async (guard: Guard, error: Error): Promise<void> => {
  for (let i = 0; i < MANY; i += 1) await guard(() => Promise.reject(error)).catch(() => undefined);
};
const say = (guard: Guard): Promise<string> =>
  guard(() => Promise.resolve('called')).catch((error: unknown) => (error instanceof Error ? error.message : ''));

describe('a breaker', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['opens', 'whose other side cannot be reached', failure(status.UNAVAILABLE)],
    ['opens', 'that missed their deadline', failure(status.DEADLINE_EXCEEDED)],
    ['opens', 'that met a fault without a reason', failure(status.INTERNAL)],
    ['stays closed', 'that were answered with a reason', failure(status.INTERNAL, answered())],
    ['stays closed', 'that were refused as wrong', failure(status.INVALID_ARGUMENT)],
    ['stays closed', 'that broke in this process', new Error('ours')],
  ])('%s after many ordinary calls %s', async (state, _, error) => {
    const guard = guardOf(true);
    await failOften(guard, error);
    expect(await say(guard)).toBe(state === 'opens' ? REFUSED : 'called');
  });

  it('for long polls does not open for calls that reach their deadline', async () => {
    const guard = guardOf(false);
    await failOften(guard, failure(status.DEADLINE_EXCEEDED));
    expect(await say(guard)).toBe('called');
  });

  it('for long polls opens if the peer is unreachable', async () => {
    const guard = guardOf(false);
    await failOften(guard, failure(status.UNAVAILABLE));
    expect(await say(guard)).toBe(REFUSED);
  });

  it('for long polls does not open for calls that a replica accepted and then dropped', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const guard = guardOf(false);
    for (let i = 0; i < MANY; i += 1) {
      const dropped = guard(() => {
        now += 1_001;
        return Promise.reject(failure(status.UNAVAILABLE));
      });
      await expect(dropped).rejects.toThrow('failed');
    }
    expect(await say(guard)).toBe('called');
  });

  it('lets one call through after a while, and closes if it succeeds', async () => {
    const guard = guardOf(true, 50);
    await failOften(guard, failure(status.UNAVAILABLE));
    expect(await say(guard)).toBe(REFUSED);
    await setTimeout(100);
    expect([await say(guard), await say(guard)]).toEqual(['called', 'called']);
  });

  it('refuses calls above its capacity, and accepts calls again when there is room', async () => {
    const guard = createGuard({ service: 'executions', capacity: 1, countsDeadlines: true });
    let end = (): void => undefined;
    const first = guard(() => new Promise<void>((resolve) => (end = resolve)));
    expect(await say(guard)).toBe('Too many calls to the executions service are in flight. Try again.');
    end();
    await first;
    expect(await say(guard)).toBe('called');
  });
});
