import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { makeOwnedThings, type OwnedThings } from '../../support/canaries/owned-things';
import type { Rest, RestAnswer } from '../../support/rest';
import { makeRightsScene, sendAbout, type RightsScene } from '../../support/rights-scene';
import { ROWS } from '../../support/rights-table';
import { makeUser } from '../../support/users';

describe('the rights of a user over REST, with a closed project,', () => {
  let stack: Stack;
  let scene: RightsScene;
  /** Ids of data of the closed project, by the first part of the path. */
  let closed: OwnedThings;
  /** A viewer of the closed project, and of the instance. */
  let member: Rest;
  beforeAll(async () => {
    stack = await borrowStack();
    scene = await makeRightsScene(stack, 'closed-rights');
    const { owner, clientOf, closedProject: projectId } = scene;
    closed = await makeOwnedThings(stack, owner, { name: 'closed-rights-owned', projectId });
    member = clientOf(await makeUser(stack, 'closed-rights-member', 'viewer'));
    const joins = { email: 'closed-rights-member@users.invalid', role: 'viewer' };
    expect((await owner('POST', `/projects/${projectId}/members`, joins)).status).toBe(201);
  });
  afterAll(() => giveStackBack(stack));

  describe.each(Object.entries(ROWS))('%s, of what a closed project owns,', (route, row) => {
    const codesOf = ({ status, json }: RestAnswer) => [status, json.error?.code];
    /** Ids of the closed project's data, as responses contain them. */
    const closedIn = ({ text }: RestAnswer): string[] => Object.values(closed).filter((id) => text.includes(id));
    const about = (): Record<string, string> => ({ ...scene.ids, ...closed });

    it(`is ${row.closed} for those who are not members`, async () => {
      for (const [as, status] of [
        [scene.viewer, row.viewer],
        [scene.editor, row.editor],
      ] as const) {
        const answer = await sendAbout(as, route, about());
        if (row.closed === 'refused') expect(codesOf(answer)).toEqual([403, 'FORBIDDEN']);
        if (row.closed === 'left out') expect([answer.status, closedIn(answer)]).toEqual([200, []]);
        // An earlier creation had the same body.
        if (row.closed === 'unchanged') expect([status, 409]).toContain(answer.status);
      }
    });

    it('is read by a viewer of it, and by the owner of the instance', async () => {
      if (row.closed === 'unchanged') return;
      // Retry jobs of owners take the executions of all users: they are for those who see everything.
      for (const as of route.includes('retry-jobs') ? [scene.owner] : [member, scene.owner]) {
        const answer = await sendAbout(as, route, about());
        expect(answer.status).toBe(200);
        if (row.closed === 'left out') expect(closedIn(answer)).not.toEqual([]);
      }
    });
  });
});
