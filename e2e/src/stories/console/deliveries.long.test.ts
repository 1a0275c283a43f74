import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import {
  openConsole,
  pressInDialog,
  rowOf,
  signInToConsole,
  told,
  type ConsolePage,
} from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';
import { keepCalls } from '../../support/kept-calls';
import { dataOf, restClient, textOf } from '../../support/rest';
import { until } from '../../support/until';
import { smallWorkflow } from '../../support/workflows';

describe('a user who looks after stored webhook calls', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let base = '';
  let workflowId = '';
  let ids: readonly string[] = [];

  const rest = () => restClient(base, stack.apiKey);
  const stateOf = async (id: string) => dataOf(await rest()('GET', `/deliveries/${id}`))['state'];

  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    workflowId = textOf(await rest()('POST', '/workflows', { ...smallWorkflow('orders'), active: true }), 'id');
    const calls = [1, 2].map((n) => ['orders', { n }] as const);
    // Deactivation parks them, so that they wait for a person.
    ids = await keepCalls(stack, calls, () => rest()('POST', `/workflows/${workflowId}/deactivate`));
    browser = await launchChromium();
    at = await openConsole(browser, base);
    await at.page.goto(`${base}/console/deliveries`);
    await signInToConsole(at, stack);
    await at.page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });

  it('finds them by state, with the reason and the request', async () => {
    for (const id of ids) expect(await stateOf(id)).toBe('refused');
    await at.page.getByRole('group', { name: 'State' }).getByRole('button', { name: 'Parked' }).click();
    await at.page.waitForURL(/state=parked/);
    await rowOf(at.page, 'POST /orders').first().waitFor();
    expect(await rowOf(at.page, 'POST /orders').count()).toBe(2);
    await at.checkAccess('deliveries');
    await picture(at.page, stack, 'console-deliveries');
    await at.open(`/deliveries/${ids[0] ?? ''}`, 'POST /orders');
    await at.page.getByRole('region', { name: 'Request' }).getByText('body').first().waitFor();
    await at.checkAccess('delivery');
  });

  it('delivers one once its workflow is active again, and follows it to its run', async () => {
    await rest()('POST', `/workflows/${workflowId}/activate`);
    await at.page.reload();
    await at.page.getByRole('button', { name: 'Deliver now' }).click();
    await until('it is delivered', async () => (await stateOf(ids[0] ?? '')) === 'delivered');
    await at.page.getByRole('region', { name: 'Delivery' }).getByText('Delivered').first().waitFor();
    await at.page.getByRole('link', { name: ids[0] ?? '' }).click();
    await at.page.getByRole('heading', { name: 'small orders', level: 1 }).waitFor();
  });

  it('gives up another one for good', async () => {
    await at.open(`/deliveries/${ids[1] ?? ''}`, 'POST /orders');
    await at.page.getByRole('button', { name: 'Give up' }).click();
    await pressInDialog(at.page, 'Give up');
    await told(at.page, 'The call is no longer delivered');
    expect((await rest()('GET', `/deliveries/${ids[1] ?? ''}`)).status).toBe(404);
    await at.page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor();
  });

  it('shows no script error, policy violation, foreign request or accessibility finding', () => {
    expect(at.faults).toEqual([]);
  });
});
