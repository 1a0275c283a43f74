import type { DueHooks, Hook } from './hook';
import { createKeepHooks } from './keep-hooks';

const hookOf = (ownerId: string, n: number, kind = 'telegramTrigger'): Hook => ({
  id: `${ownerId} ${n}`,
  workflowId: `w${n}`,
  ownerId,
  node: 'Bot',
  kind,
  version: 1,
  path: `p${n}/webhook`,
  parametersJson: '{}',
  credentialType: 'telegramApi',
  credentialId: `c${n}`,
  exclusiveKey: undefined,
  sealedSecret: 's',
  isAttempted: true,
  base: '',
  nextAt: new Date(n),
  failures: 0,
  message: '',
  revision: 1,
});

describe('due hooks', () => {
  const setUp = (all: readonly Hook[]) => {
    const begun: string[] = [];
    const releases: (() => void)[] = [];
    const due = (_now: Date, limit: number, { kinds, exceptOwnerIds = [] }: DueHooks): Promise<Hook[]> =>
      Promise.resolve(
        all.filter(({ ownerId, kind }) => kinds.includes(kind) && !exceptOwnerIds.includes(ownerId)).slice(0, limit),
      );
    const notUsed = () => Promise.reject(new Error('Not part of this test.'));
    const keep = createKeepHooks({
      store: {
        due,
        find: notUsed,
        insert: notUsed,
        take: notUsed,
        finish: notUsed,
        remove: notUsed,
        nextDue: notUsed,
        ofKey: notUsed,
        recheck: notUsed,
        recheckMoved: notUsed,
      },
      workflows: { find: () => Promise.resolve(undefined), findListeners: () => Promise.resolve([]) },
      versions: { find: () => Promise.resolve([]) },
      requests: {
        ensure: notUsed,
        remove: (hook) => {
          begun.push(hook.id);
          return new Promise((resolve) => releases.push(() => resolve({ kind: 'done' })));
        },
      },
      takeMine: (found) => found,
      clock: () => 1_000,
      onTrouble: () => undefined,
      onError: (error) => {
        throw error;
      },
    });
    const tick = async (): Promise<string[]> => {
      await keep.tick();
      await new Promise((resolve) => setTimeout(resolve, 10));
      return begun;
    };
    const release = (): void => releases.splice(0).forEach((end) => end());
    return { tick, release, untilIdle: keep.untilIdle };
  };

  it('of an owner whose services hang take two places, however many there are, and hide no others', async () => {
    const hostile = Array.from({ length: 300 }, (_, n) => hookOf('hostile', n));
    const { tick, release, untilIdle } = setUp([...hostile, hookOf('healthy', 400)]);
    expect(await tick()).toEqual(['hostile 0', 'hostile 1', 'healthy 400']);
    expect(await tick()).toHaveLength(3);
    release();
    await untilIdle();
  });

  it('take no more places than there are', async () => {
    const { tick, release, untilIdle } = setUp(Array.from({ length: 100 }, (_, n) => hookOf(`owner ${n}`, n)));
    expect(await tick()).toHaveLength(16);
    release();
    await untilIdle();
  });

  it('of a kind that this release does not know are left to others', async () => {
    const { tick } = setUp([hookOf('owner', 1, 'laterTrigger')]);
    expect(await tick()).toEqual([]);
  });
});
