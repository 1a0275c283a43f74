import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest } from '../support/rest';
import { until } from '../support/until';
import { smallWorkflow } from '../support/workflows';

describe('calls of webhooks while no run can be started', () => {
  let stack: Stack;
  let rest: Rest;
  let baseUrl = '';
  let workflowId = '';

  beforeAll(async () => {
    stack = await borrowStack();
    baseUrl = stack.baseUrls[0] ?? '';
    rest = restClient(baseUrl, stack.apiKey);
    workflowId = textOf(await rest('POST', '/workflows', { ...smallWorkflow('kept'), active: true }), 'id');
  });
  afterAll(() => giveStackBack(stack));

  const runs = async () => listOf(await rest('GET', `/executions?workflowId=${workflowId}&limit=100`));
  const deliveries = async () => listOf(await rest('GET', `/deliveries?workflowId=${workflowId}`));

  it(
    'are stored, listed, and run exactly once when runs can start again, also if the caller sends them again ' +
      'with its key',
    async () => {
      const executions = stack.of('executions');
      for (const one of executions) one.kill('SIGKILL');
      const replies = await Promise.all(
        [1, 2, 3].map((n) =>
          callWebhook(baseUrl, 'kept', { n }, { 'idempotency-key': `order-${n}`, cookie: 'sid=secret' }),
        ),
      );
      const ids = replies.map(({ status, headers, json }) => {
        expect([status, headers.has('retry-after'), json.error?.details]).toMatchObject([
          503,
          true,
          { reason: 'DELIVERY_KEPT' },
        ]);
        return String(json.error?.details?.['executionId']);
      });
      const listed = await deliveries();
      expect(listed.map(({ id }) => id).sort()).toEqual([...ids].sort());
      const kept = await rest('GET', `/deliveries/${ids[0] ?? ''}`);
      expect(dataOf(kept)).toMatchObject({
        state: 'pending',
        method: 'POST',
        path: 'kept',
        request: { body: { n: 1 } },
      });
      expect(kept.text).not.toContain('secret');
      const again = await callWebhook(
        baseUrl,
        'kept',
        { n: 2 },
        { 'idempotency-key': 'order-2', cookie: 'sid=secret' },
      );
      expect([again.status, again.json.error?.details]).toMatchObject([503, { reason: 'DELIVERY_KEPT' }]);

      await Promise.all(executions.map((one) => one.restart()));
      const [first = '', second = ''] = ids;
      await until(
        'the caller gets through again',
        async () =>
          (await callWebhook(baseUrl, 'kept', { n: 2 }, { 'idempotency-key': 'order-2', cookie: 'sid=secret' }))
            .status === 200,
      );
      // The workflows service reconnects after a while; until then the delivery stays pending.
      const redelivered = await until('a delivery is delivered', async () => {
        const delivery = dataOf(await rest('POST', `/deliveries/${first}/redeliver`));
        return delivery['state'] === 'delivered' && delivery;
      });
      expect(redelivered).toMatchObject({ executionId: first });
      await until(
        'all are delivered',
        async () => (await deliveries()).every(({ state }) => state === 'delivered'),
        60_000,
      );
      const ended = await until('all runs have ended', async () => {
        const found = await runs();
        return found.every(({ status }) => status === 'success') && found;
      });
      expect(ended).toHaveLength(3);
      expect(ended.map(({ id }) => id)).toEqual(expect.arrayContaining([first, ids[2]]));
      // The caller or the delivery, whichever came first, made the run of this key.
      const { executionId } = dataOf(await rest('GET', `/deliveries/${second}`));
      expect(ended.map(({ id }) => id)).toContain(executionId);
      // A call that the caller repeated without success is stored as well, for the run of its key.
      const all = await deliveries();
      const repeated = all.filter(({ id }) => !ids.includes(String(id)));
      expect(repeated.length).toBeGreaterThan(0);
      expect(repeated.map((one) => one['executionId'])).toEqual(repeated.map(() => executionId));
      expect(all).toHaveLength(3 + repeated.length);
      expect((await rest('DELETE', `/deliveries/${second}`)).json.data).toEqual({ success: true });
      expect(await deliveries()).toEqual(all.filter(({ id }) => id !== second));
    },
  );
});
