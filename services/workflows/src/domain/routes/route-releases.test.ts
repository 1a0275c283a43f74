import { createListReleases, RELEASE_LISTED_MS, type RouteRelease, withRelease } from './route-releases';
import type { Activation, Workflow } from '../workflows/workflow';

const workflowWith = (activation: Activation | undefined): Workflow => ({
  id: 'w1',
  name: 'n',
  ownerId: 'u1',
  active: activation !== undefined,
  versionId: 'v1',
  definitionBytes: 1,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...(activation === undefined ? {} : { activation }),
});

const activationOf = (id: string, ...paths: readonly string[]): Activation => ({
  id,
  versionId: 'v1',
  routes: paths.map((path) => ({ key: `POST ${path}`, method: 'POST', path, node: 'Hook' })),
  schedules: [],
});

describe('a change of a workflow', () => {
  it.each([
    ['deactivation', activationOf('a', 'p'), undefined, true],
    ['replacement', activationOf('a', 'p'), activationOf('b', 'p'), true],
    ['activation', undefined, activationOf('a', 'p'), false],
    ['deactivation without routes', activationOf('a'), undefined, false],
    ['change of nothing', activationOf('a', 'p'), activationOf('a', 'p'), false],
  ])('by %s releases routes or not', (_, before, after, releases) => {
    const next = withRelease(workflowWith(before), workflowWith(after));
    expect(next.routesRelease !== undefined).toBe(releases);
    if (releases) expect(withRelease(workflowWith(before), workflowWith(after))).not.toEqual(next);
  });
});

describe('listed releases', () => {
  const scene = () => {
    const clock = { ms: 0 };
    const stored: RouteRelease[] = [];
    const list = createListReleases(
      {
        findReleases: (limit) => Promise.resolve(stored.slice(0, limit)),
        endReleases: (ids) => {
          stored.splice(0, stored.length, ...stored.filter(({ id }) => !ids.includes(id)));
          return Promise.resolve();
        },
      },
      () => clock.ms,
    );
    return { clock, stored, list };
  };

  it('end after their time, counted from their first reading, whichever process stored them', async () => {
    const { clock, stored, list } = scene();
    stored.push({ workflowId: 'w1', id: 'r1' });
    clock.ms = 1_000_000;
    await list();
    clock.ms += RELEASE_LISTED_MS - 1;
    stored.push({ workflowId: 'w2', id: 'r2' });
    expect(await list()).toEqual({ releases: [...stored], isComplete: true });
    clock.ms += 1;
    await list();
    expect(await list()).toEqual({ releases: [{ workflowId: 'w2', id: 'r2' }], isComplete: true });
    clock.ms += RELEASE_LISTED_MS;
    await list();
    expect(await list()).toEqual({ releases: [], isComplete: true });
  });

  it('are incomplete while there are too many', async () => {
    const { clock, stored, list } = scene();
    stored.push(...Array.from({ length: 1_500 }, (_, n) => ({ workflowId: `w${n}`, id: `r${n}` })));
    expect(await list()).toEqual({ releases: [], isComplete: false });
    clock.ms += RELEASE_LISTED_MS;
    await list();
    expect(await list()).toMatchObject({ isComplete: true });
  });
});
