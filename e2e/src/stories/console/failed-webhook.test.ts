import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { openConsole, signInToConsole, type ConsolePage } from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';
import { dataOf, restClient } from '../../support/rest';
import { until } from '../../support/until';

const HOSTILE = '<img src=x onerror=alert(1)> "quoted" javascript:alert(1)';

const definition = (code: string) => ({
  name: HOSTILE,
  nodes: [
    {
      id: 'a',
      name: 'Order received',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      position: [0, 0],
      parameters: { path: 'console-orders', httpMethod: 'POST', responseMode: 'onReceived' },
    },
    {
      id: 'b',
      name: 'Look up <b>prices</b>',
      type: 'n8n-nodes-base.code',
      typeVersion: 2,
      position: [220, 0],
      parameters: { jsCode: code },
    },
    {
      id: 'c',
      name: 'Shape order',
      type: 'n8n-nodes-base.noOp',
      typeVersion: 1,
      position: [440, 0],
      parameters: {},
    },
  ],
  connections: {
    'Order received': { main: [[{ node: 'Look up <b>prices</b>', type: 'main', index: 0 }]] },
    'Look up <b>prices</b>': { main: [[{ node: 'Shape order', type: 'main', index: 0 }]] },
  },
  settings: {},
});

describe('a user whose webhook failed', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let base = '';
  let workflowId = '';

  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    const rest = restClient(base, stack.apiKey);
    const created = await rest('POST', '/workflows', {
      ...definition(`throw new Error(${JSON.stringify(HOSTILE)})`),
      active: true,
    });
    workflowId = String(dataOf(created)['id']);
    await fetch(`${base}/webhook/console-orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ order: 'SO-1043', note: HOSTILE }),
    });
    browser = await launchChromium();
    at = await openConsole(browser, base);
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });

  it('signs in and sees the failure on the overview', async () => {
    await at.page.goto(base);
    await signInToConsole(at, stack);
    await at.page.getByRole('region', { name: 'Failed' }).getByRole('link', { name: HOSTILE }).first().waitFor();
    await at.checkAccess('overview');
    await picture(at.page, stack, 'console-overview');
  });

  it('opens it and finds the node, the reason and the input that it failed on', async () => {
    await at.page.getByRole('region', { name: 'Failed' }).getByRole('link', { name: HOSTILE }).first().click();
    const inspector = at.page.getByRole('complementary', { name: 'Look up <b>prices</b>' });
    await inspector.getByText(HOSTILE).first().waitFor();
    await inspector.getByText('SO-1043').first().waitFor();
    await at.page.getByRole('button', { name: /^Look up <b>prices<\/b> Code, JavaScript failed/ }).waitFor();
    await at.page.getByRole('button', { name: /^Shape order .*not reached/ }).waitFor();
    await at.checkAccess('failed execution');
    await picture(at.page, stack, 'console-failed');
  });

  it('runs it again with the corrected workflow and sees it succeed, live', async () => {
    const rest = restClient(base, stack.apiKey);
    const fixed = await rest('PUT', `/workflows/${workflowId}`, definition('return $input.all()'));
    expect(fixed.status).toBe(200);
    await at.page.getByRole('button', { name: 'Retry', exact: true }).click();
    const dialog = at.page.getByRole('dialog', { name: 'Retry this execution' });
    await dialog.getByText('Not run again: Order received.').waitFor();
    await dialog.getByRole('button', { name: 'Current', pressed: true }).waitFor();
    await at.checkAccess('retry dialog');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('banner').or(at.page.locator('.xtop')).getByText('Succeeded').waitFor();
    await at.page.getByText('Retry of').waitFor();
  });

  it('runs the first execution again from the start with a corrected input', async () => {
    const { page } = at;
    await page.getByText('Retry of').locator('..').getByRole('link').click();
    await page.getByRole('banner').or(page.locator('.xtop')).getByText('Failed').waitFor();
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry this execution' });
    await dialog.getByRole('radio', { name: 'From the start' }).check();
    await dialog.getByRole('button', { name: 'Edit' }).click();
    const input = dialog.getByRole('textbox', { name: 'Items of the start node' });
    await until('the stored input', async () => (await input.inputValue()).includes('SO-1043'));
    await input.fill('{"order": 7}');
    await dialog.getByText('Must be an array of objects').waitFor();
    await input.fill('[{"order": "SO-7"}]');
    await dialog.getByRole('button', { name: 'Retry', exact: true }).click();
    await page.getByRole('banner').or(page.locator('.xtop')).getByText('Succeeded').waitFor();
    await page
      .getByRole('button', { name: /^Order received/ })
      .first()
      .click();
    await page.getByRole('complementary', { name: 'Order received' }).getByText('SO-7').first().waitFor();
  });

  it('opens the editor at the failed node, with the data of the failure and not of the last run', async () => {
    const { page } = at;
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('link', { name: 'Open in editor' }).click();
    const output = page.getByRole('region', { name: 'Output', exact: true });
    await output.getByText(HOSTILE).first().waitFor();
    await at.checkAccess('editor with the data of a failure');
  });

  it('shows no script error, policy violation, foreign request or accessibility finding', () => {
    expect(at.faults).toEqual([]);
  });
});
