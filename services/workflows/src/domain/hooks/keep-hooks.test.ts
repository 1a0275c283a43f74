import { readDefinition } from '@weft/node-catalogue';
import type { Version, Workflow } from '../workflows/workflow';
import type { DueHooks, Hook } from './hook';
import { hookRoutesOf } from './hook-routes';
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

const WORKFLOW: Workflow = {
  ...{ id: 'w1', name: 'notes', ownerId: 'o', active: true, versionId: 'v', definitionBytes: 2 },
  ...{ createdAt: new Date(0), updatedAt: new Date(0) },
};
const VERSION: Version = {
  ...{ id: 'v', workflowId: 'w1', ownerId: 'o', definition: '{}', typeVersions: [], credentialIds: [] },
  createdAt: new Date(0),
};

describe('a hook that the workflow no longer wants', () => {
  const bot = (credentialId: string) => ({
    name: 'GitHub',
    type: 'n8n-nodes-base.githubTrigger',
    typeVersion: 1,
    position: [0, 0],
    parameters: { owner: 'octo', repository: 'notes', events: ['push'] },
    credentials: { githubApi: { id: credentialId, name: 'GitHub' } },
    webhookId: 'p',
  });
  const registration = { fingerprint: 'f', credentialRevision: 'r', keptJson: '{"hook":8}' };

  /** Removes the hook of a former credential. @returns whether the service was left alone */
  const removed = async (former: Partial<Hook>, next: Partial<Hook>): Promise<boolean | undefined> => {
    const definition = JSON.stringify({ nodes: [bot('next')], connections: {} });
    const value = readDefinition(JSON.parse(definition));
    const hook: Hook = { ...hookOf('o', 1, 'githubTrigger'), ...former };
    let isHeld: boolean | undefined;
    const notUsed = () => Promise.reject(new Error('Not part of this test.'));
    const keep = createKeepHooks({
      store: {
        due: () => Promise.resolve([hook]),
        find: (ids) => Promise.resolve(ids.map((id) => ({ ...hookOf('o', 1, 'githubTrigger'), ...next, id }))),
        ...{ insert: notUsed, take: notUsed, finish: notUsed, remove: notUsed, nextDue: notUsed, ofKey: notUsed },
        ...{ recheck: notUsed, recheckMoved: notUsed },
      },
      workflows: {
        find: (id) => {
          const activation = { id: 'a', versionId: 'v', routes: hookRoutesOf(value, id), schedules: [] };
          return Promise.resolve({ ...WORKFLOW, id, activation });
        },
        findListeners: () => Promise.resolve([]),
      },
      versions: { find: () => Promise.resolve([{ ...VERSION, definition }]) },
      requests: {
        ensure: notUsed,
        remove: (_hook, isHeldByOther) => {
          isHeld = isHeldByOther;
          return Promise.resolve({ kind: 'done' });
        },
      },
      takeMine: (found) => found,
      clock: () => 1_000,
      onTrouble: () => undefined,
      onError: (error) => {
        throw error;
      },
    });
    await keep.tick();
    await keep.untilIdle();
    return isHeld;
  };

  it('is left to the service if it was never confirmed and another credential has its address', async () => {
    expect(await removed({ path: 'p/webhook' }, { registration })).toBe(true);
  });

  it.each<[string, Partial<Hook>, Partial<Hook>]>([
    ['was registered', { path: 'p/webhook', registration }, { registration }],
    ['has another address', { path: 'q/webhook' }, { registration }],
    ['is the only one that was attempted', { path: 'p/webhook' }, {}],
  ])('is removed from the service if it %s', async (_, former, next) => {
    expect(await removed(former, next)).toBe(false);
  });
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
