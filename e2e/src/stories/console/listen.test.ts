import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { openConsole, signInToConsole, told, type ConsolePage } from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';
import { dataOf, restClient, textOf } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node } from '../../support/workflows';

describe('a user who listens for a test call in the editor', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let base = '';
  let workflowId = '';

  const rest = () => restClient(base, stack.apiKey);
  const nodeButton = (name: RegExp) => at.page.locator('.canvas').getByRole('button', { name });
  const call = (body: unknown, path = 'console/test-orders') =>
    fetch(`${base}/webhook-test/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const bar = () => at.page.getByRole('group', { name: 'Listening for a test call' });
  const state = async () => dataOf(await rest()('GET', `/workflows/${workflowId}/listening`))['state'];
  const listen = async (): Promise<void> => {
    await at.page.getByRole('button', { name: 'Listen for a test call' }).click();
    await bar().waitFor();
  };

  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    const created = await rest()('POST', '/workflows', {
      name: 'Test orders',
      nodes: [
        node('Hook', 'webhook', 2.1, 0, {
          httpMethod: 'POST',
          path: 'console/test-orders',
          responseMode: 'lastNode',
          options: {},
        }),
        node('Shape', 'set', 3.4, 240, { mode: 'raw', jsonOutput: '={{ { n: $json.body.n } }}', options: {} }),
      ],
      connections: connect({ Hook: [['Shape']] }),
      settings: {},
    });
    workflowId = textOf(created, 'id');
    browser = await launchChromium();
    at = await openConsole(browser, base);
    await at.page.goto(`${base}/console/workflows/${workflowId}`);
    await signInToConsole(at, stack);
    await nodeButton(/^Hook/).click();
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });

  it('is told the address to call, which did not exist before', async () => {
    expect((await call({ n: 1 })).status).toBe(404);
    await listen();
    expect(await bar().textContent()).toContain(`${base}/webhook-test/console/test-orders`);
    await at.checkAccess('listening');
    await picture(at.page, stack, 'console-listening');
  });

  it('sees the run of the draft with the data of the call, whose sender gets the response of the draft', async () => {
    const answer = await call({ n: 7 });
    expect([answer.status, await answer.json()]).toEqual([200, { n: 7 }]);
    await told(at.page, 'The call has come');
    await nodeButton(/^Hook .*succeeded/).waitFor();
    await nodeButton(/^Shape .*succeeded/).waitFor();
    await at.page.getByRole('region', { name: 'Output' }).getByText('webhook-test/console/test-orders').waitFor();
    expect(await bar().count()).toBe(0);
    const id = new URL(at.page.url()).searchParams.get('execution') ?? '';
    expect(dataOf(await rest()('GET', `/executions/${id}`))).toMatchObject({ mode: 'manual', status: 'success' });
    await picture(at.page, stack, 'console-listened');
  });

  it('gets one call for each time, and stops when told to', async () => {
    expect((await call({ n: 8 })).status).toBe(404);
    await listen();
    await bar().getByRole('button', { name: 'Stop listening' }).click();
    await until('it has stopped', async () => ((await state()) === 'none' ? true : undefined));
    expect((await call({ n: 9 })).status).toBe(404);
  });

  it('listens by keyboard through the menu of runs, until the editor is left', async () => {
    await at.page.getByRole('button', { name: 'Ways to run' }).press('Enter');
    await at.page.getByRole('menuitem', { name: /^Listen for a call of Hook/ }).press('Enter');
    await bar().waitFor();
    expect(await state()).toBe('waiting');
    await at.page.getByRole('link', { name: 'Back to workflows' }).click();
    await until('it has stopped', async () => ((await state()) === 'none' ? true : undefined));
  });

  it('shows no script error, policy violation, foreign request or accessibility finding', () => {
    expect(at.faults).toEqual([]);
  });
});
