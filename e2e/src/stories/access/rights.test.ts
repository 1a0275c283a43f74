import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { dataOf, textOf, type Rest, type RestAnswer } from '../../support/rest';
import { restRoutes } from '../../support/rest-routes';
import { makeRightsScene, type RightsScene } from '../../support/rights-scene';
import { ROWS, TABLE, WORKFLOW } from '../../support/rights-table';

describe('the rights of a user over REST', () => {
  let stack: Stack;
  let scene: RightsScene;
  beforeAll(async () => {
    stack = await borrowStack();
    scene = await makeRightsScene(stack, 'rights');
  });
  afterAll(() => giveStackBack(stack));

  it('is listed here for every route, and for no other', () => {
    expect(Object.keys(ROWS).sort()).toEqual([...restRoutes()].sort());
  });

  it.each(Object.entries(ROWS))('%s is allowed only to the roles that the contract names', async (route, row) => {
    const answers = {
      stranger: await scene.send(scene.stranger, route),
      viewer: await scene.send(scene.viewer, route),
      editor: await scene.send(scene.editor, route),
    };
    const shown = ({ status, json }: RestAnswer) => [status, json.error?.code];
    const codes = new Map([
      [400, 'INVALID_REQUEST'],
      [403, 'FORBIDDEN'],
      [404, 'INVALID_REQUEST'],
    ]);
    const expected = (status: number) => [status, codes.get(status)];
    expect(Object.entries(answers).map(([who, answer]) => [who, ...shown(answer)])).toEqual([
      ['stranger', 401, 'UNAUTHORIZED'],
      ['viewer', ...expected(row.viewer)],
      ['editor', ...expected(row.editor)],
    ]);
  });

  it('finds only its own executions to retry', async () => {
    const matched = async (as: Rest): Promise<unknown> =>
      dataOf(await scene.send(as, 'POST /executions/retry'))['matched'];
    expect(await matched(scene.owner)).toBeGreaterThan(0);
    expect(await matched(scene.editor)).toBe(0);
  });

  it.each(['/workflows', '/variables', '/data-tables', '/credentials'])(
    'creates nothing below %s in the projects of others',
    async (path) => {
      const body = { ...(ROWS[`POST ${path}`]?.body as object), projectId: scene.ids['projects'] };
      for (const [as, status] of [
        [scene.stranger, 401],
        [scene.viewer, 403],
        [scene.editor, 403],
      ] as const)
        expect((await as('POST', path, body)).status).toBe(status);
      const list = await scene.owner('GET', `${path}?projectId=${scene.ids['projects']}`);
      expect(list.json.data).toEqual([]);
    },
  );

  it.each([
    ['/workflows', { ...WORKFLOW, name: 'own' }],
    ['/variables', { key: 'own', value: 'v' }],
    ['/data-tables', { ...TABLE, name: 'own' }],
  ])('owns what it makes below %s: it may delete that, another editor may not', async (path, body) => {
    const id = textOf(await scene.editor('POST', path, body), 'id');
    expect((await scene.send(scene.otherEditor, `DELETE ${path}/:id`, undefined, id)).status).toBe(403);
    expect((await scene.send(scene.editor, `DELETE ${path}/:id`, undefined, id)).json.data).toEqual({ success: true });
  });
});
