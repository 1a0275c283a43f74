import { TAKEOVER_MS } from '@weft/service-kit/replicas';
import type { RestoreProgress } from '../domain/read/restore';
import { createRestoreQueue } from './restore-queue';

/** A replica next to the responsible one, whose stream is recreated at its second check. */
const scene = (isMine: boolean) => {
  const published: string[] = [];
  const progress = new Map<string, RestoreProgress>();
  let looks = 0;
  const restore = createRestoreQueue({
    ensureQueue: () => Promise.resolve((looks += 1) === 2),
    streamTime: () => (looks < 2 ? 'first' : 'second'),
    store: {
      readProgress: (stream) => Promise.resolve(progress.get(stream)),
      saveProgress: (stream, after, isDone) => Promise.resolve(void progress.set(stream, { after, isDone })),
      queuedAfter: (after) =>
        Promise.resolve(after === '' ? [{ _id: 'e1', ownerId: 'u1', generation: 1, fence: 0 }] : []),
    },
    share: { count: () => 2, isMine: () => isMine },
    clock: () => 1_000,
    apply: () => Promise.resolve({ outcome: 'applied', stale: [] }),
    publish: (id) => void published.push(id),
    backlog: () => 0,
  });
  return { restore, published };
};

describe('restoring a lost queue', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('republishes everything when the stream was replaced', async () => {
    const { restore, published } = scene(true);
    await restore();
    expect(published).toEqual([]);
    await restore();
    expect(published).toEqual(['e1']);
    await restore();
    expect(published).toEqual(['e1']);
  });

  it('takes over from a responsible replica that has not noticed the loss', async () => {
    const { restore, published } = scene(false);
    await restore();
    await restore();
    await restore();
    expect(published).toEqual([]);
    for (let half = 0; half < 2; half += 1) {
      jest.advanceTimersByTime(TAKEOVER_MS / 2);
      await restore();
    }
    expect(published).toEqual(['e1']);
  });
});
