import { CLOSED_PROJECTS_LEASE_MS, leaseClosedProjects, type ClosedProjects } from './closed-projects';

const stateOf = (version: string, ...ids: string[]): ClosedProjects => ({ version, ids: new Set(ids) });

/** The source of the closed projects, a clock, and a leased copy. */
const setUp = () => {
  const world = { stored: stateOf(''), now: 0, asked: 0, uses: 0, isAway: false };
  const leased = leaseClosedProjects(
    async (knownVersion) => {
      world.asked += 1;
      if (world.isAway) throw new Error('away');
      return Promise.resolve(knownVersion !== '' && knownVersion === world.stored.version ? undefined : world.stored);
    },
    () => {
      world.uses += 1;
    },
    () => world.now,
  );
  return { world, ...leased };
};

describe('the closed projects under a lease', () => {
  it('are fetched once, and then served from memory until the lease ends', async () => {
    const { world, current } = setUp();
    await current();
    world.now = CLOSED_PROJECTS_LEASE_MS - 1;
    expect(current()).not.toBeInstanceOf(Promise);
    expect(world.asked).toBe(1);
    world.now = CLOSED_PROJECTS_LEASE_MS;
    await current();
    expect(world.asked).toBe(2);
  });

  it('include everything closed at least one lease ago, whenever the copy was made', async () => {
    for (const age of [0, 1, CLOSED_PROJECTS_LEASE_MS / 2, CLOSED_PROJECTS_LEASE_MS]) {
      const { world, current } = setUp();
      await current();
      world.now = age;
      world.stored = stateOf('1', 'p');
      world.now += CLOSED_PROJECTS_LEASE_MS;
      expect((await current()).ids).toEqual(new Set(['p']));
    }
  });

  it('have a lease that starts before the request, however long the response took', async () => {
    const { world } = setUp();
    const slow = leaseClosedProjects(
      () => {
        // The list is read, then a project is closed, and the response arrives long after.
        const read = world.stored;
        world.stored = stateOf('1', 'p');
        world.now += CLOSED_PROJECTS_LEASE_MS;
        return Promise.resolve(read);
      },
      undefined,
      () => world.now,
    );
    await slow.current();
    expect((await slow.current()).ids).toEqual(new Set(['p']));
  });

  it('stay the same object while nothing changes, so that derived values are reused', async () => {
    const { world, renew } = setUp();
    world.stored = stateOf('1', 'p');
    const before = await renew();
    expect(await renew()).toBe(before);
    world.stored = stateOf('2', 'p', 'q');
    expect(await renew()).not.toBe(before);
  });

  it('count as used for a minute, and report a use after that', async () => {
    const { world, current, isUsed } = setUp();
    expect([isUsed(), world.uses]).toEqual([false, 0]);
    await current();
    await current();
    expect([isUsed(), world.uses]).toEqual([true, 1]);
    world.now = 60_000;
    expect(isUsed()).toBe(false);
    await current();
    expect([isUsed(), world.uses]).toEqual([true, 2]);
  });

  it('are not used beyond the lease while the source is unavailable', async () => {
    const { world, current } = setUp();
    await current();
    world.isAway = true;
    world.now = CLOSED_PROJECTS_LEASE_MS;
    await expect(Promise.resolve(current())).rejects.toThrow('away');
  });

  it('are not replaced by a late response to an earlier request', async () => {
    const answers: ((state: ClosedProjects) => void)[] = [];
    let now = 0;
    const { current, renew } = leaseClosedProjects(
      () => new Promise((resolve) => answers.push(resolve)),
      undefined,
      () => now,
    );
    const first = renew();
    await new Promise((resolve) => setImmediate(resolve));
    now = 1;
    const second = renew();
    await new Promise((resolve) => setImmediate(resolve));
    answers[1]?.(stateOf('1', 'p'));
    await second;
    answers[0]?.(stateOf(''));
    await first;
    expect(current()).toMatchObject({ version: '1' });
  });
});
