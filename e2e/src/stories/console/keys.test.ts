import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import {
  openConsole,
  pressInDialog,
  rowOf,
  signInAs,
  signInToConsole,
  type ConsolePage,
} from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';
import { restClient } from '../../support/rest';

describe('API keys in the console', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let base = '';
  let value = '';

  const statusWith = async (key: string): Promise<number> =>
    (await restClient(base, key)('GET', '/workflows?limit=1')).status;
  const create = async (name: string, expires: string, access: string): Promise<void> => {
    await at.page.getByRole('button', { name: /^New/ }).first().click();
    await at.page.getByRole('dialog').getByLabel('Name').fill(name);
    await at.page.getByLabel('Expires').selectOption({ label: expires });
    await at.page.getByLabel('May do').selectOption({ label: access });
  };
  const newValue = (): Promise<string> => at.page.getByRole('textbox', { name: 'API key' }).inputValue();

  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    browser = await launchChromium();
    at = await openConsole(browser, base);
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });
  afterEach(() => expect(at.faults).toEqual([]));

  it('are reached from /settings after a sign-in, which a wrong password does not give', async () => {
    await at.page.goto(`${base}/settings`);
    await signInAs(at, stack.ownerEmail, 'not the password');
    await at.page.getByRole('alert').waitFor();
    expect(at.page.url()).toBe(`${base}/console/`);
    await signInToConsole(at, stack);
    await at.page.getByRole('link', { name: 'API keys' }).click();
    await at.page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  });

  it('are created with a value that is shown once', async () => {
    await create('billing sync', 'Never', 'Everything that you may do');
    await at.checkAccess('new key');
    await pressInDialog(at.page, 'Create');
    await at.page.getByRole('heading', { name: 'The key billing sync was created' }).waitFor();
    value = await newValue();
    await at.checkAccess('created key');
    await picture(at.page, stack, 'console-new-key');
    expect(await statusWith(value)).toBe(200);
    await at.page.reload();
    await rowOf(at.page, 'billing sync').waitFor();
    expect(await at.page.content()).not.toContain(value);
  });

  it('are deleted after a confirmation, and fail on the very next request', async () => {
    await at.page.getByRole('button', { name: 'Delete the key billing sync' }).click();
    await pressInDialog(at.page, 'Delete');
    // Behind the open dialog no row is found.
    await at.page.getByText('The key billing sync was deleted').waitFor();
    await rowOf(at.page, 'billing sync').waitFor({ state: 'detached' });
    expect(await statusWith(value)).toBe(401);
  });

  it('expire, and are limited to reading', async () => {
    await create('report', 'In 30 days', 'Read only');
    await pressInDialog(at.page, 'Create');
    await at.page.getByRole('heading', { name: 'The key report was created' }).waitFor();
    const client = restClient(base, await newValue());
    expect((await client('GET', '/workflows?limit=1')).status).toBe(200);
    expect((await client('POST', '/workflows', { name: 'w', nodes: [], connections: {} })).status).toBe(403);
    const row = rowOf(at.page, 'report');
    await row.getByText('workflows:read, executions:read, credentials:read, audit:read').waitFor();
    expect(await row.locator('time').count()).toBeGreaterThanOrEqual(2);
  });

  it('are limited to what is chosen, and not created if nothing is', async () => {
    await create('starter', 'In a year', 'Selected permissions');
    await pressInDialog(at.page, 'Create');
    await at.page.getByRole('dialog').getByText('Choose at least one permission').waitFor();
    await at.page.getByLabel('Retry, cancel and delete executions').check();
    await pressInDialog(at.page, 'Create');
    // The permission to write contains the one to read.
    await rowOf(at.page, 'starter').getByText('executions:read, executions:write').waitFor();
  });
});
