import { startGateway, type TestGateway } from '../support/start-gateway';

const PATH = '/workflows/w1/listening';

describe('the test call that a workflow waits for', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  describe('PUT /api/v1/workflows/:id/listening', () => {
    it('waits for a call of the draft, and tells its address as callers reach it', async () => {
      const definition = { name: 'draft', nodes: [] };
      const { status, json } = await gateway.api('PUT', PATH, { body: { node: 'Hook', definition, seconds: 30 } });
      expect([status, json.data]).toEqual([
        200,
        {
          state: 'waiting',
          id: 'l1',
          node: 'Hook',
          methods: ['POST'],
          url: `${gateway.base}/webhook-test/a%20b/:id`,
          until: expect.stringMatching(/Z$/),
        },
      ]);
      const [call] = gateway.listening.callsOf('startListening');
      expect(call?.request).toMatchObject({ workflowId: 'w1', node: 'Hook', seconds: 30 });
      expect(JSON.parse(String((call?.request as { definition: Buffer }).definition))).toEqual(definition);
    });

    it.each([
      [{}, 'node'],
      [{ node: 'Hook', seconds: 301 }, 'seconds'],
      [{ node: 'Hook', definition: [] }, 'definition'],
      [{ node: 'Hook', other: 1 }, 'other'],
    ])('refuses %j', async (body, field) => {
      const { status, json } = await gateway.api('PUT', PATH, { body });
      expect([status, json.error?.details]).toEqual([400, { fields: [expect.objectContaining({ field })] }]);
    });
  });

  describe('GET /api/v1/workflows/:id/listening', () => {
    it('tells whether it waits, which execution its call has started, or neither', async () => {
      const state = async () => (await gateway.api('GET', PATH)).json.data;
      expect(await state()).toEqual({ state: 'none' });
      const listening = { id: 'l1', node: 'Hook', methods: ['POST'], path: 'p' };
      gateway.listening.told.listening = { ...listening, until: new Date(Date.now() - 1) };
      expect(await state()).toEqual({ state: 'none' });
      gateway.listening.told.listening = { ...listening, until: new Date(Date.now() - 1), executionId: 'e1' };
      expect(await state()).toMatchObject({ state: 'called', executionId: 'e1' });
    });
  });

  describe('DELETE /api/v1/workflows/:id/listening', () => {
    it('stops it, or only the one that the query names', async () => {
      expect((await gateway.api('DELETE', PATH)).json.data).toEqual({ success: true });
      await gateway.api('DELETE', `${PATH}?listeningId=l1`);
      expect(gateway.listening.callsOf('stopListening').map(({ request }) => request)).toEqual([
        { workflowId: 'w1', listeningId: '' },
        { workflowId: 'w1', listeningId: 'l1' },
      ]);
    });
  });
});
