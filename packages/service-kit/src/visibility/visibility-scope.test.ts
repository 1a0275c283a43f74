import type { Principal } from '../auth';
import type { ClosedProjects } from './closed-projects';
import { createVisibilityScopes, requireVisible, SEES_ALL } from './visibility-scope';
import { scopedOne, scopedPages } from './scoped-store';

const CLOSED: ClosedProjects = { version: '1', ids: new Set(['p', 'q']) };
const { ofUser, ofRun } = createVisibilityScopes({ current: () => CLOSED });
const open = createVisibilityScopes({ current: () => ({ version: '', ids: new Set() }) });

const stranger: Principal = { userId: 'u', role: 'editor', projects: ['open'] };

describe('the visibility scope of a user', () => {
  it.each<readonly [string, Principal, readonly string[]]>([
    ['a stranger', stranger, ['p', 'q']],
    ['a viewer of the instance in no project', { userId: 'u', role: 'viewer' }, ['p', 'q']],
    ['an editor of a closed project', { ...stranger, projects: ['p'] }, ['q']],
    ['a viewer of a closed project', { ...stranger, reads: ['q'] }, ['p']],
    ['a member of both', { ...stranger, projects: ['p'], reads: ['q'] }, []],
    ['an admin of the instance', { userId: 'u', role: 'admin' }, []],
    ['an owner of the instance', { userId: 'u', role: 'owner' }, []],
    ['a run of an admin', { userId: 'u', role: 'admin', inRun: true }, ['p', 'q']],
    ['a run of a member', { ...stranger, projects: ['p'], reads: ['q'], inRun: true }, ['p', 'q']],
    ['a run of a closed project', { userId: 'p', role: 'editor', inRun: true }, ['q']],
  ])('of %s hides the closed projects of others', async (_, principal, hidden) => {
    const scope = await ofUser(principal);
    expect([...scope.hidden].sort()).toEqual(hidden);
    for (const id of ['p', 'q']) expect(scope.sees(id)).toBe(!hidden.includes(id));
    for (const id of ['u', 'v', 'open']) expect(scope.sees(id)).toBe(true);
  });

  it('hides nothing from services, or from anyone while no project is closed', async () => {
    expect(await ofUser(undefined)).toBe(SEES_ALL);
    expect(await open.ofUser(stranger)).toBe(SEES_ALL);
    expect(await open.ofRun('u')).toBe(SEES_ALL);
  });

  it('is shared by users who see the same, and has a different name for others', async () => {
    const other = await ofUser({ userId: 'v', role: 'viewer', reads: ['another open one'] });
    expect(await ofUser(stranger)).toBe(other);
    const names = [SEES_ALL, other, await ofUser({ ...stranger, reads: ['p'] }), await ofRun('u')].map(
      ({ name }) => name,
    );
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the visibility scope of a run', () => {
  it('includes only the closed project that owns its workflow', async () => {
    expect((await ofRun('p')).hidden).toEqual(['q']);
    expect((await ofRun('u')).hidden).toEqual(['p', 'q']);
  });
});

describe('reads within a visibility scope', () => {
  const things = ['u', 'p', 'q'].map((ownerId) => ({ id: `of ${ownerId}`, ownerId }));
  const read = async (_after: string | undefined, _limit: number, ownerId?: string, hidden: readonly string[] = []) =>
    Promise.resolve(
      things.filter((one) => !hidden.includes(one.ownerId) && [one.ownerId, undefined].includes(ownerId)),
    );
  const find = (id: string) => Promise.resolve(things.find((one) => one.id === id));

  it('leave hidden entries out of pages, and return an empty page for a hidden owner', async () => {
    const page = scopedPages(read, await ofUser({ ...stranger, reads: ['p'] }));
    expect((await page(undefined, 10)).map(({ ownerId }) => ownerId)).toEqual(['u', 'p']);
    expect(await page(undefined, 10, 'p')).toHaveLength(1);
    expect(await page(undefined, 10, 'q')).toEqual([]);
  });

  it('refuse a hidden entry by its id, and distinguish it from a missing one', async () => {
    const one = scopedOne(find, await ofUser(stranger), ({ id }) => ({ thingId: id }));
    expect(await one('of u')).toMatchObject({ ownerId: 'u' });
    expect(await one('none')).toBeUndefined();
    await expect(one('of p')).rejects.toMatchObject({ reason: 'FORBIDDEN', details: { thingId: 'of p' } });
  });

  it('explain the refusal', async () => {
    const scopes = [await ofUser(stranger), await ofRun('u')];
    for (const [index, text] of ['Only its members', 'Of all runs'].entries())
      expect(() => requireVisible(scopes[index] ?? SEES_ALL, 'p', {})).toThrow(text);
  });
});
