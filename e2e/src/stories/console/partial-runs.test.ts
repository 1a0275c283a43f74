import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { openConsole, signInToConsole, type ConsolePage } from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';
import { dataOf, restClient, textOf } from '../../support/rest';

describe('a user who runs some nodes of a draft', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let server: Server;
  let base = '';
  let workflowId = '';
  const called: string[] = [];
  /** Responses that wait. */
  let held: (() => void)[] = [];
  let isHolding = false;

  const main = (name: string) => at.page.locator('.split').getByRole('button', { name });
  const nodeButton = (name: RegExp) => at.page.locator('.canvas').getByRole('button', { name });

  beforeAll(async () => {
    server = createServer((request, response) => {
      called.push(request.url ?? '');
      const answer = (): void => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ n: called.length }));
      };
      if (isHolding) held.push(answer);
      else answer();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    const node = (name: string, kind: string, x: number, version: number, parameters: object = {}) => ({
      id: name,
      name,
      type: `n8n-nodes-base.${kind}`,
      typeVersion: version,
      position: [x, 0],
      parameters,
    });
    const link = (to: string) => ({ main: [[{ node: to, type: 'main', index: 0 }]] });
    const created = await restClient(base, stack.apiKey)('POST', '/workflows', {
      name: 'Orders in parts',
      nodes: [
        node('Start', 'manualTrigger', 0, 1),
        node('Fetch', 'httpRequest', 220, 4.2, { url: `${url}/fetch`, options: {} }),
        node('Shape', 'noOp', 440, 1),
        node('Send', 'httpRequest', 660, 4.2, { url: `${url}/send`, options: {} }),
      ],
      connections: { Start: link('Fetch'), Fetch: link('Shape'), Shape: link('Send') },
      settings: {},
    });
    workflowId = textOf(created, 'id');
    browser = await launchChromium();
    at = await openConsole(browser, base);
    await at.page.goto(`${base}/console/workflows/${workflowId}`);
    await signInToConsole(at, stack);
    await nodeButton(/^Shape/).waitFor();
  });
  afterAll(async () => {
    for (const answer of held) answer();
    await browser?.close();
    await giveStackBack(stack);
    server.closeAllConnections();
    server.close();
  });

  it('runs up to the open node, after being told which nodes run', async () => {
    await nodeButton(/^Shape/).click();
    await main('Run 3 nodes').click();
    const dialog = at.page.getByRole('dialog', { name: 'Run some nodes' });
    await dialog.getByRole('listitem').filter({ hasText: 'Fetch' }).waitFor();
    expect(called).toEqual([]);
    await at.checkAccess('plan of a run');
    await picture(at.page, stack, 'console-run-plan');
    await dialog.getByRole('button', { name: 'Run 3 nodes' }).click();
    await nodeButton(/^Shape .*succeeded/).waitFor();
    await nodeButton(/^Fetch .*succeeded/).waitFor();
    expect(called).toEqual(['/fetch']);
  });

  it('reuses what has not changed, by keyboard', async () => {
    await at.page.getByRole('button', { name: 'Show the whole graph' }).click();
    await nodeButton(/^Send/).click();
    await main('Run 1 node, reuse 3').waitFor();
    await at.page.keyboard.press('Control+Shift+Enter');
    const dialog = at.page.getByRole('dialog', { name: 'Run some nodes' });
    await dialog.getByText('Reuse their last output').waitFor();
    await dialog.getByRole('button', { name: 'Run 1 node, reuse 3' }).press('Enter');
    await nodeButton(/^Send .*succeeded/).waitFor();
    expect(called).toEqual(['/fetch', '/send']);
    const id = new URL(at.page.url()).searchParams.get('execution') ?? '';
    const execution = dataOf(await restClient(base, stack.apiKey)('GET', `/executions/${id}`));
    expect(execution['partial']).toMatchObject({ destinationNode: 'Send', reused: ['Start', 'Fetch', 'Shape'] });
    await picture(at.page, stack, 'console-run-done');
  });

  it('sees a run proceed on the graph, and cancels it', async () => {
    isHolding = true;
    await at.page.keyboard.press('Control+Enter');
    await nodeButton(/^Fetch .*running/).waitFor();
    await picture(at.page, stack, 'console-run-live');
    await at.page.getByRole('button', { name: 'Cancel run' }).click();
    await at.page.getByRole('button', { name: 'Ways to run' }).waitFor();
    isHolding = false;
    for (const answer of held) answer();
    held = [];
  });

  it('says in the menu which ways to run are possible, and why others are not', async () => {
    await at.page.getByRole('button', { name: 'Ways to run' }).click();
    const only = at.page.getByRole('menuitem', { name: /^Only the open node/ });
    await only.waitFor();
    expect(await only.textContent()).toContain('No data from');
    await picture(at.page, stack, 'console-run-menu');
    await at.page.keyboard.press('Escape');
  });

  it('shows no script error, policy violation, foreign request or accessibility finding', () => {
    expect(at.faults).toEqual([]);
  });
});
