import { startStack, type Stack } from '@weft/local-stack';
import { HTTP, type CloudEvent } from 'cloudevents';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { startReceivers, status, type Received, type Receivers } from '../../support/stand-ins/receivers';
import { dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { chain, node } from '../../support/workflows';

const SECRET = `whsec_${Buffer.from('canary-8d2c41-of-the-signing-key').toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.from('canary-1b9e77-of-the-previous-one').toString('base64')}`;
const CANARY = 'canary-5e7a10';

type Facts = Readonly<Record<string, unknown>>;

/** The events of a request, as a receiver gets them from its libraries. */
const eventsOf = ({ headers, body }: Received): readonly CloudEvent<Facts>[] => {
  const parsed = HTTP.toEvent<Facts>({ headers, body });
  return [parsed].flat().map((event) => event as CloudEvent<Facts>);
};

describe('notifications of ended executions', () => {
  let stack: Stack;
  let receivers: Receivers;
  let trap: Receivers;
  let rest: Rest;
  let workflowId = '';

  const subscribe = async (name: string, url: string, more: object = {}): Promise<string> =>
    textOf(await rest('POST', '/event-subscriptions', { name, url, workflowIds: [workflowId], ...more }), 'id');
  const run = async (id = workflowId): Promise<string> =>
    textOf(await rest('POST', `/workflows/${id}/execute`, { wait: true }), 'executionId');
  const remove = (id: string) => rest('DELETE', `/event-subscriptions/${id}`);
  const received = (name: string, count = 1, limitMs = 60_000): Promise<readonly Received[]> =>
    until(
      `${count} requests to ${name}`,
      async () => receivers.of(name).length >= count && receivers.of(name),
      limitMs,
    );
  const notificationsOf = async (id: string): Promise<readonly Facts[]> =>
    listOf(await rest('GET', `/event-subscriptions/${id}/notifications`));
  const signing = async (data: object): Promise<string> =>
    textOf(
      await rest('POST', '/credentials', {
        name: 'signature',
        type: 'webhookSignature',
        data: { scheme: 'standard', ...data },
      }),
      'id',
    );

  beforeAll(async () => {
    receivers = await startReceivers();
    trap = await startReceivers();
    stack = await startStack({
      replicas: { executions: 2 },
      env: {
        executions: { LEASE_MS: '3000', SWEEP_MS: '300' },
        credentials: { RATE_LIMIT_PER_MINUTE: '0' },
        runner: { OUTBOUND_ALLOW: `127.0.0.1:${receivers.port}` },
      },
    });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const small = chain('notified', [node('Start', 'manualTrigger', 1, 0), node('End', 'noOp', 1, 200)]);
    workflowId = textOf(await rest('POST', '/workflows', small), 'id');
  });
  afterAll(async () => {
    await stack?.stop();
    await receivers.stop();
    await trap.stop();
  });

  it('are verified by a library of Standard Webhooks, and are CloudEvents with what lists show', async () => {
    const credentialId = await signing({ secret: SECRET, previousSecret: OLD_SECRET });
    const url = receivers.add('signed', status(204));
    const id = await subscribe('signed', url, { credentialId });
    const executionId = await run();
    const [request] = await received('signed');
    if (request === undefined) throw new Error('There is no request.');
    const headers = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(request.headers[name])]),
    );
    for (const secret of [SECRET, OLD_SECRET])
      expect(new Webhook(secret).verify(request.body, headers)).toMatchObject({ id: `${executionId}:ended` });
    expect(() => new Webhook(SECRET).verify(`${request.body} `, headers)).toThrow();
    const [event] = eventsOf(request);
    expect(event?.validate()).toBe(true);
    const [listed] = listOf(await rest('GET', '/executions?limit=1'));
    expect(event).toMatchObject({
      id: `${executionId}:ended`,
      type: 'weft.execution.ended',
      subject: executionId,
      source: `${stack.baseUrls[0] ?? ''}/api/v1/workflows/${workflowId}`,
      data: listed,
    });
    await until('it is delivered', async () => (await notificationsOf(id))[0]?.['state'] === 'delivered');
    await remove(id);
  });

  it('arrive in batches that are parsed as lists of CloudEvents, each event once', async () => {
    const url = receivers.add('batches', (response) => void setTimeout(() => response.writeHead(200).end(), 100));
    const id = await subscribe('batches', url, { batch: 50 });
    const executionIds = await Promise.all(Array.from({ length: 60 }, () => run()));
    const subjects = await until('all events', async () => {
      const all = receivers
        .of('batches')
        .flatMap(eventsOf)
        .map(({ subject }) => subject);
      return all.length >= executionIds.length && all;
    });
    expect([...subjects].sort()).toEqual([...executionIds].sort());
    expect(receivers.of('batches').length).toBeLessThan(executionIds.length);
    await remove(id);
  });

  it('reach a healthy receiver at once, next to ones that fail, hang, are gone, redirect, or are private', async () => {
    const trapUrl = trap.add('trap', status(200));
    const hostile = {
      failing: await subscribe('failing', receivers.add('failing', status(500))),
      hanging: await subscribe(
        'hanging',
        receivers.add('hanging', () => undefined),
      ),
      gone: await subscribe('gone', receivers.add('gone', status(410))),
      redirecting: await subscribe(
        'redirecting',
        receivers.add('redirecting', (response) => void response.writeHead(302, { location: trapUrl }).end()),
      ),
      endless: await subscribe(
        'endless',
        receivers.add('endless', (response) => {
          response.writeHead(200);
          const writing = setInterval(() => response.write('x'.repeat(65_536)), 5);
          response.once('close', () => clearInterval(writing));
        }),
      ),
      private: await subscribe('private', trapUrl),
    };
    const healthy = await subscribe('healthy', receivers.add('healthy', status(200)));
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 10 }, () => run()));
    await received('healthy', 10);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    const attempted = (id: string, pattern: RegExp) =>
      until(`an attempt that shows ${String(pattern)}`, async () =>
        (await notificationsOf(id)).some(({ error }) => pattern.test(String(error))),
      );
    await attempted(hostile.failing, /responded with 500/);
    await attempted(hostile.redirecting, /responded with 302: redirects are not followed/);
    await attempted(hostile.private, /127\.0\.0\.1/);
    await attempted(hostile.hanging, /10/);
    await until('a delivery without reading the body', async () =>
      (await notificationsOf(hostile.endless)).some(({ state }) => state === 'delivered'),
    );
    const pauseOf = async (id: string) => dataOf(await rest('GET', `/event-subscriptions/${id}`))['pauseReason'];
    await until('the pause', async () => (await pauseOf(hostile.gone)) === 'gone');
    expect(receivers.of('gone')).toHaveLength(1);
    expect(trap.of('trap')).toEqual([]);
    for (const id of [...Object.values(hostile), healthy]) await remove(id);
  });

  it('are sent again under the same id after executions were killed between sending and completion', async () => {
    const held: (() => void)[] = [];
    const url = receivers.add('killed', (response, _, attempt) => {
      if (attempt > 1) response.writeHead(200).end();
      else held.push(() => response.destroy());
    });
    const id = await subscribe('killed', url);
    const executionId = await run();
    await received('killed');
    for (const one of stack.of('executions')) {
      one.kill('SIGKILL');
      await one.ended;
    }
    for (const one of stack.of('executions')) await one.restart();
    held.forEach((release) => release());
    const [first, second] = await received('killed', 2, 120_000);
    expect([first?.headers['webhook-id'], second?.headers['webhook-id']]).toEqual([
      `${executionId}:ended`,
      `${executionId}:ended`,
    ]);
    expect(second?.body).toBe(first?.body);
    await until('it is delivered', async () => (await notificationsOf(id))[0]?.['state'] === 'delivered');
    await remove(id);
  });

  it('contain no secret of a failed run, and no secret of theirs is in a response or a log', async () => {
    const credential = await rest('POST', '/credentials', {
      name: 'canary',
      type: 'httpHeaderAuth',
      data: { name: 'x-key', value: CANARY },
    });
    const echo = receivers.add('echo', (response, { headers }) =>
      response
        .writeHead(500, { 'content-type': 'application/json' })
        .end(JSON.stringify({ message: headers['x-key'] })),
    );
    const failing = chain('canary', [
      node('Start', 'manualTrigger', 1, 0),
      node(
        'Call',
        'httpRequest',
        4.2,
        200,
        {
          url: echo,
          authentication: 'genericCredentialType',
          genericAuthType: 'httpHeaderAuth',
          sendQuery: true,
          queryParameters: { parameters: [{ name: 'echo', value: CANARY }] },
          options: {},
        },
        { credentials: { httpHeaderAuth: { id: textOf(credential, 'id'), name: 'canary' } } },
      ),
    ]);
    const canaryWorkflow = textOf(await rest('POST', '/workflows', failing), 'id');
    const credentialId = await signing({ secret: SECRET, previousSecret: OLD_SECRET });
    const url = receivers.add('canary', status(500));
    const id = await subscribe('canary', url, { workflowIds: [canaryWorkflow], statuses: ['error'], credentialId });
    await rest('POST', `/workflows/${canaryWorkflow}/execute`, { wait: true });
    const requests = await received('canary');
    // The description repeats the response of the service, which repeats the secret.
    expect(requests[0]?.body).toContain('"description":"***"');
    const shown = [
      JSON.stringify(requests),
      JSON.stringify(await notificationsOf(id)),
      (await rest('GET', `/event-subscriptions/${id}`)).text,
      (await rest('GET', '/audit')).text,
      ...readdirSync(join(stack.dataDir, 'logs')).map((name) =>
        readFileSync(join(stack.dataDir, 'logs', name), 'utf8'),
      ),
    ].join('\n');
    for (const secret of [CANARY, SECRET.slice(6), OLD_SECRET.slice(6), 'canary-8d2c41', 'canary-1b9e77'])
      expect(shown.includes(secret)).toBe(false);
  });
});
