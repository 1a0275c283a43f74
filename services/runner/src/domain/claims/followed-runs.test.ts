import { createFollowedRuns } from './followed-runs';
import { createHeldExecutions } from './held/held-executions';

const setUp = () => {
  const world = { now: 0, published: [] as string[][], beats: 0 };
  const held = createHeldExecutions(() => world.now);
  const followed = createFollowedRuns({
    held,
    publish: (ids) => world.published.push([...ids]),
    beat: () => {
      world.beats += 1;
    },
    clock: () => world.now,
  });
  return { world, held, followed };
};

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('followed runs', () => {
  it('cost nothing and send nothing until a follower is announced', async () => {
    const { world, held, followed } = setUp();
    const claim = held.hold('e', 1, 30_000, 0);
    claim.live.began('N', 0);
    followed.accepted('e');
    await nextTick();
    expect([followed.due(), followed.progressOf(claim), world.published, world.beats]).toEqual([[], undefined, [], 0]);
  });

  it('send their running node and node runs after a change only, at most every half second', () => {
    const { world, held, followed } = setUp();
    const claim = held.hold('e', 1, 30_000, 0);
    const run = { node: 'N', run: 0, executionIndex: 0, failed: false, recordJson: new Uint8Array(2) };
    claim.live.open(() => Array.from({ length: 60 }, (_, executionIndex) => ({ ...run, executionIndex })));
    claim.live.began('N', 1);
    followed.learn(['e']);
    expect(followed.due()).toEqual([claim]);
    const progress = followed.progressOf(claim);
    expect(progress?.running).toMatchObject({ node: 'N', run: 1 });
    expect(progress?.notStored.map(({ executionIndex }) => executionIndex)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 10),
    );
    expect([followed.due(), followed.progressOf(claim)]).toEqual([[], undefined]);
    claim.live.ended();
    world.now = 499;
    expect(followed.due()).toEqual([]);
    world.now = 500;
    expect(followed.due()).toEqual([claim]);
    expect(followed.progressOf(claim)?.running).toBeUndefined();
    followed.failed(claim);
    world.now = 1_000;
    expect(followed.due()).toEqual([claim]);
    followed.stop();
  });

  it('are forgotten three seconds after the last announcement, and then withdraw their progress once', async () => {
    const { world, held, followed } = setUp();
    const claim = held.hold('e', 1, 30_000, 0);
    claim.live.began('N', 0);
    followed.learn(['e', 'elsewhere']);
    followed.progressOf(claim);
    followed.accepted('e');
    followed.accepted('e');
    followed.accepted('not followed');
    await nextTick();
    expect(world.published).toEqual([['e']]);
    world.now = 3_000;
    expect(followed.progressOf(claim)).toEqual({ notStored: [] });
    expect(followed.progressOf(claim)).toBeUndefined();
    followed.stop();
  });

  it('are limited: a hundred send progress, and a flood of announcements is not remembered', () => {
    const { held, followed } = setUp();
    const ids = Array.from({ length: 300 }, (_, index) => `e${index}`);
    for (const id of ids) held.hold(id, 1, 30_000, 0).live.began('N', 0);
    followed.learn(Array.from({ length: 10_000 }, (_, index) => `forged ${index}`));
    followed.learn(['e0']);
    expect(followed.due()).toEqual([]);
    followed.stop();
    const { held: others, followed: more } = setUp();
    for (const id of ids) others.hold(id, 1, 30_000, 0).live.began('N', 0);
    more.learn(ids);
    expect(more.due()).toHaveLength(100);
    more.stop();
  });

  it('show the start of a node that waits in this process, and until when', () => {
    const { held } = setUp();
    const { live } = held.hold('e', 1, 30_000, 0);
    live.began('Wait', 0);
    const started = live.progress().running?.startedAtMs;
    live.waits(5_000);
    expect(live.progress().running).toEqual({ node: 'Wait', run: 0, startedAtMs: started, waitsUntilMs: 5_000 });
    live.waits(undefined);
    live.began('Wait', 0);
    expect(live.progress().running).toEqual({ node: 'Wait', run: 0, startedAtMs: started });
  });
});
