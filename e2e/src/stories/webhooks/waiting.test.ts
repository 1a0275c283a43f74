import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { startLocalServer, type LocalServer } from '../../support/stand-ins/local-server';
import { dataOf, listOf, restClient, textOf, type Rest, type RestAnswer } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, type NodeFile } from '../../support/workflows';

/** Waits up to this length stay in the runner. */
const IN_PROCESS_MS = 4_000;

const set = (name: string, x: number, values: Readonly<Record<string, string>>): NodeFile =>
  node(name, 'set', 3.4, x, {
    mode: 'manual',
    options: {},
    assignments: {
      assignments: Object.entries(values).map(([key, value]) => ({ id: key, name: key, type: 'string', value })),
    },
  });
const chain = (nodes: readonly NodeFile[]) =>
  connect(Object.fromEntries(nodes.slice(0, -1).map(({ name }, index) => [name, [[nodes[index + 1]?.name ?? '']]])));

describe('a run that waits', () => {
  let stack: Stack;
  let rest: Rest;
  let base: string;
  let target: LocalServer;

  beforeAll(async () => {
    target = await startLocalServer({ ok: true });
    stack = await borrowStack({
      env: {
        executions: { LEASE_MS: '2000', SWEEP_MS: '300' },
        runner: { WAIT_IN_PROCESS_MS: String(IN_PROCESS_MS), DRAIN_MS: '10000' },
      },
    });
    base = stack.baseUrls[0] ?? '';
    rest = restClient(base, stack.apiKey);
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await target?.stop();
  });

  const create = async (name: string, nodes: readonly NodeFile[], active = false): Promise<string> =>
    textOf(
      await rest('POST', '/workflows', {
        name,
        nodes,
        connections: chain(nodes),
        settings: { executionOrder: 'v1' },
        active,
      }),
      'id',
    );
  const execute = async (name: string, nodes: readonly NodeFile[]): Promise<string> =>
    textOf(await rest('POST', `/workflows/${await create(name, nodes)}/execute`, { data: { n: 1 } }), 'executionId');
  const statusOf = async (id: string): Promise<unknown> => dataOf(await rest('GET', `/executions/${id}`))['status'];
  const reaches = (id: string, status: string): Promise<unknown> =>
    until(`${status} of ${id}`, async () => (await statusOf(id)) === status, 30_000);
  const lastItem = async (id: string, name: string): Promise<unknown> => {
    const data: { resultData?: { runData?: Record<string, { data: { main: { json: unknown }[][] } }[]> } } = JSON.parse(
      JSON.stringify(dataOf(await rest('GET', `/executions/${id}`))['data'] ?? {}),
    );
    return data.resultData?.runData?.[name]?.[0]?.data.main[0]?.[0]?.json;
  };
  const post = async (url: string, body: unknown): Promise<Pick<RestAnswer, 'status' | 'text' | 'headers'>> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(35_000),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const killAll = async (): Promise<void> => {
    for (const each of stack.processes) each.kill('SIGKILL');
    await Promise.all(stack.processes.map((each) => each.ended));
    await Promise.all(stack.processes.map((each) => each.restart()));
  };

  it('for a call is woken at the address it gave out before, and answers both of its callers', async () => {
    const hook = node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'order', responseMode: 'lastNode' });
    const wait = node('Wait', 'wait', 1.1, 400, {
      resume: 'webhook',
      httpMethod: 'POST',
      responseMode: 'lastNode',
      options: { webhookSuffix: 'paid' },
    });
    const id = await create(
      'order',
      [
        hook,
        set('Ask', 200, { pay: '={{ $execution.resumeUrl }}/paid' }),
        wait,
        set('Thank', 600, { thanks: "={{ $json.body.amount }} for {{ $('Hook').item.json.body.order }}" }),
      ],
      true,
    );
    const first = await post(`${base}/webhook/order`, { order: 'A7' });
    const { pay } = JSON.parse(first.text);
    expect([first.status, new URL(pay).origin]).toEqual([200, base]);
    const [waiting] = listOf(await rest('GET', `/executions?workflowId=${id}`));
    expect(waiting).toMatchObject({ status: 'waiting' });

    expect((await post(pay.replace('/paid', ''), {})).status).toBe(404);
    expect((await fetch(pay)).status).toBe(404);
    const both = await Promise.all([post(pay, { amount: '12 EUR' }), post(pay, { amount: '12 EUR' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 200)?.text).toBe('{"thanks":"12 EUR for A7"}');
    expect([(await post(pay, {})).status, await statusOf(String(waiting?.['id']))]).toEqual([409, 'success']);
  });

  it('is woken by a caller who is faster than the run itself', async () => {
    const nodes = [
      node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'fast', responseMode: 'responseNode' }),
      node('Tell', 'respondToWebhook', 1.4, 200, { respondWith: 'text', responseBody: '={{ $execution.resumeUrl }}' }),
      node('Wait', 'wait', 1.1, 400, { resume: 'webhook', httpMethod: 'POST', responseMode: 'lastNode' }),
      set('End', 600, { n: '={{ $json.body.n }}' }),
    ];
    await create('fast', nodes, true);
    const turns = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => post((await post(`${base}/webhook/fast`, {})).text, { n })),
    );
    expect(turns.map(({ text }) => text)).toEqual(turns.map((_, n) => `{"n":"${n}"}`));
  });

  it('answers by a Respond node, with a file, whichever caller woke it', async () => {
    const nodes = [
      node('Start', 'manualTrigger', 1, 0),
      set('Ask', 100, { url: '={{ $execution.resumeUrl }}' }),
      node('Wait', 'wait', 1.1, 200, { resume: 'webhook', httpMethod: 'POST', responseMode: 'responseNode' }),
      node('File', 'convertToFile', 1.1, 300, {
        operation: 'toText',
        sourceProperty: 'body.text',
        options: { fileName: 'a.txt' },
      }),
      node('Answer', 'respondToWebhook', 1.4, 400, {
        respondWith: 'binary',
        options: { responseCode: 201, responseHeaders: { entries: [{ name: 'x-file', value: 'yes' }] } },
      }),
    ];
    const id = await execute('file', nodes);
    await reaches(id, 'waiting');
    const url = JSON.parse(JSON.stringify(await lastItem(id, 'Ask'))).url;
    const text = 'long '.repeat(300_000);
    const answer = await post(url, { text });
    expect([answer.status, answer.headers.get('x-file'), answer.text === text]).toEqual([201, 'yes', true]);
    await reaches(id, 'success');
  });

  it('for a short while continues in the same call, and counts as running', async () => {
    await create(
      'nap',
      [
        node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'nap', responseMode: 'lastNode' }),
        node('Wait', 'wait', 1.1, 200, { amount: 1, unit: 'seconds' }),
        set('End', 400, { slept: 'yes' }),
      ],
      true,
    );
    const begin = Date.now();
    expect((await post(`${base}/webhook/nap`, {})).text).toBe('{"slept":"yes"}');
    expect(Date.now() - begin).toBeGreaterThanOrEqual(1_000);
  });

  it('for longer is stored, and woken when its time has come', async () => {
    const at = Date.now() + IN_PROCESS_MS + 1_500;
    const id = await execute('long', [
      node('Start', 'manualTrigger', 1, 0),
      node('Wait', 'wait', 1.1, 200, { resume: 'specificTime', dateTime: new Date(at).toISOString() }),
      set('End', 400, { n: '={{ $json.n }}' }),
    ]);
    await reaches(id, 'waiting');
    await reaches(id, 'success');
    expect(Date.now()).toBeGreaterThanOrEqual(at);
    expect(await lastItem(id, 'End')).toEqual({ n: '1' });
  });

  it('survives the death of every process, whatever it waits for', async () => {
    const ask = (): NodeFile => set('Ask', 200, { url: '={{ $execution.resumeUrl }}' });
    const forCall = await execute('call', [
      node('Start', 'manualTrigger', 1, 0),
      ask(),
      node('Wait', 'wait', 1.1, 400, { resume: 'webhook', httpMethod: 'POST' }),
      set('End', 600, { got: '={{ $json.body.n }}' }),
    ]);
    const forLimit = await execute('limit', [
      node('Start', 'manualTrigger', 1, 0),
      ask(),
      node('Wait', 'wait', 1.1, 400, {
        resume: 'webhook',
        limitWaitTime: true,
        resumeAmount: 2,
        resumeUnit: 'seconds',
      }),
      set('End', 600, { url: '={{ $json.url }}' }),
    ]);
    await Promise.all([reaches(forCall, 'waiting'), reaches(forLimit, 'waiting')]);
    const url = JSON.parse(JSON.stringify(await lastItem(forCall, 'Ask'))).url;
    await killAll();
    await reaches(forLimit, 'success');
    expect(await lastItem(forLimit, 'End')).toEqual(await lastItem(forLimit, 'Ask'));
    expect(await post(url, { n: 9 })).toMatchObject({ status: 200, text: '{"message":"Workflow was started"}' });
    await reaches(forCall, 'success');
    expect(await lastItem(forCall, 'End')).toEqual({ got: '9' });
  });

  const napping = (): readonly NodeFile[] => [
    node('Start', 'manualTrigger', 1, 0),
    node('Tell', 'httpRequest', 4.2, 200, {
      method: 'POST',
      url: target.url,
      sendBody: true,
      specifyBody: 'json',
      jsonBody: '{}',
      options: {},
    }),
    node('Wait', 'wait', 1.1, 400, { amount: 3, unit: 'seconds' }),
    set('End', 600, { done: 'yes' }),
  ];
  const asleep = async (name: string): Promise<{ id: string; told: number }> => {
    const told = target.requests.length;
    const id = await execute(name, napping());
    // The run is stored before it sleeps: the effect of Tell is visible then.
    await until('the run sleeps', async () => (await lastItem(id, 'Tell')) !== undefined);
    expect([target.requests.length, await statusOf(id)]).toEqual([told + 1, 'running']);
    return { id, told: told + 1 };
  };

  it('does nothing twice when its runner dies in the middle of a short wait', async () => {
    const { id, told } = await asleep('crash');
    const [runner] = stack.of('runner');
    runner?.kill('SIGKILL');
    await runner?.ended;
    await runner?.restart();
    await reaches(id, 'success');
    expect([target.requests.length, await lastItem(id, 'End')]).toEqual([told, { done: 'yes' }]);
  });

  it('continues to wait in the store when its runner is stopped, which does not wait for it', async () => {
    const { id, told } = await asleep('drain');
    const [runner] = stack.of('runner');
    runner?.kill('SIGTERM');
    await reaches(id, 'waiting');
    await runner?.restart();
    await reaches(id, 'success');
    expect([target.requests.length, await lastItem(id, 'End')]).toEqual([told, { done: 'yes' }]);
  });

  it('can be cancelled by its deletion, asleep or stored', async () => {
    const { id } = await asleep('gone');
    const stored = await execute('gone too', [node('Start', 'manualTrigger', 1, 0), node('Wait', 'wait', 1, 200)]);
    await reaches(stored, 'waiting');
    for (const each of [id, stored]) {
      expect((await rest('DELETE', `/executions/${each}`)).status).toBe(200);
      expect((await rest('GET', `/executions/${each}`)).status).toBe(404);
    }
  });
});
