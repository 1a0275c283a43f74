import { createFollowers } from './followers';

const never = new AbortController().signal;

const setUp = (capacity = 10, perUser = 5) => {
  const world = { now: 0, positions: new Map([['a', '1']]), reads: [] as string[][], followed: [] as string[] };
  const followers = createFollowers({
    readPositions: (ids) => {
      world.reads.push([...ids]);
      return Promise.resolve(new Map([...world.positions].filter(([id]) => ids.includes(id))));
    },
    onFollowed: (id) => world.followed.push(id),
    capacity,
    perUser,
    clock: () => world.now,
  });
  return { world, followers };
};

describe('followers of executions', () => {
  it('are woken by a hint, and by a poll if it is lost', async () => {
    const { world, followers } = setUp();
    const follower = followers.follow('a', 'u');
    follower.saw('1');
    const hinted = follower.changed(follower.version(), 60_000, never);
    followers.hint(['other', 'a']);
    await hinted;
    const version = follower.version();
    const polled = follower.changed(version, 60_000, never);
    world.positions.set('a', '2');
    world.now = 1_000;
    await followers.poll();
    await polled;
    expect(follower.version()).toBe(version + 1);
  });

  it('notice a change between their read and their wait', async () => {
    const { followers } = setUp();
    const follower = followers.follow('a', 'u');
    const version = follower.version();
    followers.hint(['a']);
    await follower.changed(version, 60_000, never);
    const other = followers.follow('a', 'v');
    const before = other.version();
    follower.saw('1');
    other.saw('2');
    await other.changed(before, 60_000, never);
  });

  it('are polled every second after a change, every five seconds otherwise, and not without followers', async () => {
    const { world, followers } = setUp();
    const follower = followers.follow('a', 'u');
    follower.saw('1');
    for (world.now = 1_000; world.now <= 30_000; world.now += 1_000) await followers.poll();
    const reads = world.reads.length;
    expect([reads >= 13, reads <= 15]).toEqual([true, true]);
    follower.leave();
    world.now = 100_000;
    await followers.poll();
    expect([world.reads.length, followers.ids()]).toEqual([reads, []]);
  });

  it('are announced once, and read in queries of at most 500', async () => {
    const { world, followers } = setUp(2_000, 2_000);
    for (let index = 0; index < 1_100; index += 1) followers.follow(`e${index % 1_050}`, 'u');
    expect(world.followed).toHaveLength(1_050);
    world.now = 1_000;
    await followers.poll();
    expect(world.reads.map(({ length }) => length)).toEqual([500, 500, 50]);
  });

  it('of one user leave places to others, and the places of all are limited', () => {
    const { followers } = setUp(10, 5);
    const own = Array.from({ length: 5 }, () => followers.follow('a', 'greedy'));
    expect(() => followers.follow('b', 'greedy')).toThrow('Too many callers follow executions');
    for (let index = 0; index < 5; index += 1) followers.follow('a', `user ${index}`);
    expect(() => followers.follow('a', 'late')).toThrow('Too many callers follow executions');
    own[0]?.leave();
    expect(() => followers.follow('a', 'late')).not.toThrow();
  });

  it('end their waits when the process stops, the caller leaves, or their time is over', async () => {
    const { followers } = setUp();
    const follower = followers.follow('a', 'u');
    const caller = new AbortController();
    const left = follower.changed(follower.version(), 60_000, caller.signal);
    caller.abort();
    await left;
    await follower.changed(follower.version(), 1, never);
    const stopped = follower.changed(follower.version(), 60_000, never);
    followers.stop();
    await stopped;
    await follower.changed(follower.version(), 60_000, never);
    expect(followers.isStopping()).toBe(true);
  });
});
