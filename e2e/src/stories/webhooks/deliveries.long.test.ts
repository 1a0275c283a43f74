import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { smallWorkflow } from '../../support/workflows';

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
      const ids = replies.map(({ status, json }) => {
        expect([status, json]).toMatchObject([202, { deliveryId: json.executionId }]);
        return String(json.executionId);
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
      expect(again.status).toBe(202);

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

  it('of one event run once, whether they are stored or not, and none runs after a deactivation', async () => {
    const path = 'kept-events';
    const id = textOf(await rest('POST', '/workflows', { ...smallWorkflow(path), active: true }), 'id');
    const send = (event: string) => callWebhook(baseUrl, path, { n: 1, event }, { 'x-github-delivery': event });
    const started = await send('before');
    const repeated = await send('before');
    expect([started.status, repeated.status]).toEqual([200, 200]);
    expect(dataOf(await rest('GET', `/executions/${repeated.json.executionId ?? ''}`))).toMatchObject({
      workflowId: id,
    });

    const executions = stack.of('executions');
    for (const one of executions) one.kill('SIGKILL');
    const kept = await send('during');
    const again = await send('during');
    expect([kept.status, again.status, again.json.executionId]).toEqual([202, 200, kept.json.executionId]);
    expect((await rest('POST', `/workflows/${id}/deactivate`)).status).toBe(200);
    await Promise.all(executions.map((one) => one.restart()));
    const parked = await until('executions are found again', async () => {
      const answer = await rest('GET', `/executions/${kept.json.executionId ?? ''}`);
      return answer.status === 200 && dataOf(answer);
    });
    expect(parked).toMatchObject({ status: 'waiting', workflowId: id });
    expect(listOf(await rest('GET', `/deliveries?workflowId=${id}&state=parked`))).toHaveLength(1);

    const { text } = await rest('POST', `/workflows/${id}/activate?parked=run`);
    expect(text).not.toContain('"warnings"');
    // The workflows service reconnects after a while.
    await until('it is delivered', async () => {
      const delivery = dataOf(await rest('POST', `/deliveries/${kept.json.deliveryId ?? ''}/redeliver`));
      expect(delivery['state']).not.toBe('refused');
      return delivery['state'] === 'delivered';
    });
    await until('it has run', async () => {
      const found = listOf(await rest('GET', `/executions?workflowId=${id}`));
      return found.length === 2 && found.every(({ status }) => status === 'success');
    });
    const last = await until('the gateway finds executions', async () => {
      const answer = await send('during');
      return answer.status === 200 && answer;
    });
    expect(last.json.executionId).toBe(kept.json.executionId);
  });
});
