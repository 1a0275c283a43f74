import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { listOf } from '../../support/rest';
import { set, waitScene } from '../../support/waiting-runs';
import { node } from '../../support/workflows';

describe('a run that waits', () => {
  let stack: Stack;
  let base = '';
  let scene: ReturnType<typeof waitScene>;

  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    scene = waitScene(base, stack.apiKey);
  });
  afterAll(() => giveStackBack(stack));

  it('for a call is woken at the address it gave out before, and answers both of its callers', async () => {
    const hook = node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'order', responseMode: 'lastNode' });
    const wait = node('Wait', 'wait', 1.1, 400, {
      resume: 'webhook',
      httpMethod: 'POST',
      responseMode: 'lastNode',
      options: { webhookSuffix: 'paid' },
    });
    const id = await scene.create(
      'order',
      [
        hook,
        set('Ask', 200, { pay: '={{ $execution.resumeUrl }}/paid' }),
        wait,
        set('Thank', 600, { thanks: "={{ $json.body.amount }} for {{ $('Hook').item.json.body.order }}" }),
      ],
      true,
    );
    const first = await scene.post(`${base}/webhook/order`, { order: 'A7' });
    const { pay } = JSON.parse(first.text);
    expect([first.status, new URL(pay).origin]).toEqual([200, base]);
    const [waiting] = listOf(await scene.rest('GET', `/executions?workflowId=${id}`));
    expect(waiting).toMatchObject({ status: 'waiting' });

    expect((await scene.post(pay.replace('/paid', ''), {})).status).toBe(404);
    expect((await fetch(pay)).status).toBe(404);
    const both = await Promise.all([scene.post(pay, { amount: '12 EUR' }), scene.post(pay, { amount: '12 EUR' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 200)?.text).toBe('{"thanks":"12 EUR for A7"}');
    expect([(await scene.post(pay, {})).status, await scene.statusOf(String(waiting?.['id']))]).toEqual([
      409,
      'success',
    ]);
  });

  it('is woken by a caller who is faster than the run itself', async () => {
    const nodes = [
      node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'fast', responseMode: 'responseNode' }),
      node('Tell', 'respondToWebhook', 1.4, 200, { respondWith: 'text', responseBody: '={{ $execution.resumeUrl }}' }),
      node('Wait', 'wait', 1.1, 400, { resume: 'webhook', httpMethod: 'POST', responseMode: 'lastNode' }),
      set('End', 600, { n: '={{ $json.body.n }}' }),
    ];
    await scene.create('fast', nodes, true);
    const turns = await Promise.all(
      Array.from({ length: 10 }, async (_, n) =>
        scene.post((await scene.post(`${base}/webhook/fast`, {})).text, { n }),
      ),
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
    const id = await scene.execute('file', nodes);
    await scene.reaches(id, 'waiting');
    const url = JSON.parse(JSON.stringify(await scene.lastItem(id, 'Ask'))).url;
    const text = 'long '.repeat(300_000);
    const answer = await scene.post(url, { text });
    expect([answer.status, answer.headers.get('x-file'), answer.text === text]).toEqual([201, 'yes', true]);
    await scene.reaches(id, 'success');
  });

  it('for a short while continues in the same call, and counts as running', async () => {
    await scene.create(
      'nap',
      [
        node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'nap', responseMode: 'lastNode' }),
        node('Wait', 'wait', 1.1, 200, { amount: 1, unit: 'seconds' }),
        set('End', 400, { slept: 'yes' }),
      ],
      true,
    );
    const begin = Date.now();
    expect((await scene.post(`${base}/webhook/nap`, {})).text).toBe('{"slept":"yes"}');
    expect(Date.now() - begin).toBeGreaterThanOrEqual(1_000);
  });
});
