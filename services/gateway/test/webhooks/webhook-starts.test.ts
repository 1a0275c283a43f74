import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { isJsonObject } from '@weft/service-kit/json';
import { until } from '@weft/service-kit/testing';
import { webhookAt } from '../peers/workflows';
import { startGateway, type Ask, type TestGateway } from '../support/start-gateway';
import { startsOf } from '../support/webhook-calls';

describe('a start by /webhook/<path>', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.workflows.webhooks.set('POST hook', webhookAt());
  });
  afterEach(() => gateway.stop());

  const post = (params: Ask = {}, path = 'hook') => gateway.ask('POST', `/webhook/${path}`, params);
  const started = () => startsOf(gateway);

  describe('of an event that was received before', () => {
    const event = { body: { n: 1 }, headers: { 'webhook-id': 'm1' } };

    it('is 200 with the id of the first execution', async () => {
      expect((await post(event)).json).toEqual({ message: 'Workflow was started' });
      const { status, json } = await post(event);
      const [first] = started();
      expect([status, json.executionId]).toEqual([200, isJsonObject(first) ? first['executionId'] : '']);
      expect((await post({ ...event, body: { n: 2 } })).json).toEqual({ message: 'Workflow was started' });
    });

    it('gets the response of the first run if the workflow sends it, but not its failure', async () => {
      gateway.workflows.webhooks.set('POST hook', webhookAt({}, { responseMode: 'lastNode' }));
      gateway.executions.told.answer = { statusCode: 201, headers: [], body: Buffer.from('made') };
      const replies = [await post(event), await post(event)];
      expect(replies.map(({ status, text }) => [status, text])).toEqual([
        [201, 'made'],
        [201, 'made'],
      ]);
      gateway.executions.told.answer = { statusCode: 500, headers: [], body: Buffer.from('broken') };
      const { status, json } = await post(event);
      expect([status, json.executionId]).toEqual([200, expect.any(String)]);
    });

    it('starts again if the workflow names other headers, or none, and with an idempotency key', async () => {
      for (const headers of [[], ['x-other']]) {
        gateway.workflows.webhooks.set('POST hook', webhookAt({}, { eventKey: { headers } }));
        await post(event);
        expect((await post(event)).json).toEqual({ message: 'Workflow was started' });
      }
      gateway.workflows.webhooks.set('POST hook', webhookAt());
      await post({ ...event, headers: { ...event.headers, 'idempotency-key': 'k' } });
      expect(started().at(-1)).toMatchObject({ idempotencyKey: 'k', eventKey: undefined });
    });
  });

  describe('when its start gets no response', () => {
    const idsOf = (): unknown[] => started().map((start) => (isJsonObject(start) ? start['executionId'] : undefined));

    it('is sent again under the same id, and then responds as usual', async () => {
      gateway.executions.fail('startExecutions', new Unavailable('Gone.'));
      const answering = post();
      await until('the start was sent', () => Promise.resolve(idsOf().length > 0 ? true : undefined));
      gateway.executions.fail('startExecutions', undefined);
      expect((await answering).status).toBe(200);
      expect(new Set(idsOf()).size).toBe(1);
      expect(started()[0]).not.toHaveProperty('repeatedStart', true);
      expect(started().at(-1)).toMatchObject({ repeatedStart: true });
    });

    it('is 503 with Retry-After and the id of the possibly started execution, if it cannot be stored', async () => {
      gateway.deliveries.fail('storeDelivery', new Unavailable('Gone too.'));
      gateway.executions.fail('startExecutions', new Unavailable('Gone.'));
      const { status, headers, json } = await post();
      expect([status, headers.has('retry-after')]).toEqual([503, true]);
      expect(json.error?.details).toEqual({ started: 'unknown', executionId: idsOf()[0] });
      expect(json.error?.details?.['executionId']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    });

    it('is 503 without an id, immediately, if the queue is full and it cannot be stored', async () => {
      gateway.deliveries.fail(
        'storeDelivery',
        new ServiceError({ reason: 'TOO_MANY_DELIVERIES', kind: 'limited', message: 'Enough.' }),
      );
      gateway.executions.told.startFailure = new ServiceError({
        reason: 'QUEUE_FULL',
        kind: 'limited',
        message: 'Full.',
        retryAfterSeconds: 7,
      });
      const { status, headers, json } = await post();
      expect([status, headers.get('retry-after'), json.error?.details]).toEqual([
        503,
        '7',
        { reason: 'QUEUE_FULL', started: 'no' },
      ]);
      expect(started()).toHaveLength(1);
    });

    it('continues to wait for the response of the run at another replica, in the remaining time', async () => {
      gateway.workflows.webhooks.set('POST hook', webhookAt({}, { responseMode: 'lastNode' }));
      gateway.executions.told.answer = { statusCode: 201, headers: [], body: Buffer.from('late') };
      gateway.executions.fail(
        'startExecution',
        new ServiceError({ reason: 'REPLICA_STOPPING', kind: 'unavailable', message: 'Stopping.' }),
      );
      const answering = post();
      const calls = () =>
        gateway.executions
          .callsOf('startExecution')
          .map(({ request }) => (isJsonObject(request) && isJsonObject(request['start']) ? request['start'] : {}));
      await until('the start was sent', () => Promise.resolve(calls().length > 1 ? true : undefined));
      gateway.executions.fail('startExecution', undefined);
      expect([(await answering).status, (await answering).text]).toEqual([201, 'late']);
      const [first, second] = calls();
      expect(second).toMatchObject({ executionId: first?.['executionId'], repeatedStart: true });
      expect(Number(second?.['waitMs'])).toBeLessThan(Number(first?.['waitMs']));
    });
  });
});
