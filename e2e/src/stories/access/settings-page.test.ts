import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { restClient } from '../../support/rest';

describe('the settings page', () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  let value = '';
  const faults: string[] = [];

  beforeAll(async () => {
    stack = await borrowStack();
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('401')) faults.push(message.text());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });

  const picture = async (name: string): Promise<void> => {
    const folder = join(stack.dataDir, 'logs', 'pictures');
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}.png`) });
  };
  const statusWith = async (key: string): Promise<number> =>
    (await restClient(stack.baseUrls[0] ?? '', key)('GET', '/workflows?limit=1')).status;

  it('asks for a sign-in, and refuses a wrong password without saying which part was wrong', async () => {
    await page.goto(`${stack.baseUrls[0] ?? ''}/settings`);
    await page.locator('#sign-in-form').getByLabel('Email').fill(stack.ownerEmail);
    await page.locator('#sign-in-form').getByLabel('Password').fill('not the password');
    await page.locator('#sign-in').click();
    await page.locator('#alert').waitFor({ state: 'visible' });
    expect(await page.locator('#keys-view').isVisible()).toBe(false);
    await picture('sign-in');
  });

  it('lets the owner sign in, make a key and see its value once', async () => {
    await page.locator('#sign-in-form').getByLabel('Password').fill(stack.ownerPassword);
    await page.locator('#sign-in').click();
    await page.locator('#key-name').fill('billing sync');
    await page.locator('#create-key').click();
    await page.locator('#new-key').waitFor({ state: 'visible' });
    value = await page.locator('#new-key-value').inputValue();
    await picture('new-key');
    expect(await statusWith(value)).toBe(200);
    await page.reload();
    await page.getByText('billing sync').first().waitFor();
    expect(await page.content()).not.toContain(value);
  });

  it('deletes a key after a confirmation, and the key fails on the very next request', async () => {
    await page
      .getByRole('row', { name: /billing sync/ })
      .getByRole('button', { name: /delete/i })
      .click();
    await page.locator('#confirm-do').click();
    await page.getByRole('row', { name: /billing sync/ }).waitFor({ state: 'detached' });
    expect(await statusWith(value)).toBe(401);
    await picture('keys');
  });

  it('makes a key that expires and only reads, and shows what it is limited to', async () => {
    await page.locator('#key-name').fill('report');
    await page.locator('#key-expiry').selectOption({ label: 'In 30 days' });
    await page.locator('#key-access').selectOption({ label: 'Read only' });
    await page.locator('#create-key').click();
    await page.locator('#new-key').waitFor({ state: 'visible' });
    const key = await page.locator('#new-key-value').inputValue();
    const client = restClient(stack.baseUrls[0] ?? '', key);
    expect((await client('GET', '/workflows?limit=1')).status).toBe(200);
    expect((await client('POST', '/workflows', { name: 'w', nodes: [], connections: {} })).status).toBe(403);
    const row = page.getByRole('row', { name: /report/ });
    expect(await row.innerText()).toContain('workflows:read, executions:read, credentials:read, audit:read');
    await page.reload();
    await row.waitFor();
    expect(await row.locator('time').count()).toBeGreaterThanOrEqual(2);
    await picture('limited-key');
  });

  it('makes a key for what is chosen, and none if nothing is', async () => {
    await page.locator('#key-name').fill('starter');
    await page.locator('#key-access').selectOption({ label: 'Selected scopes' });
    await page.locator('#create-key').click();
    await page.locator('#alert').filter({ hasText: 'at least one' }).waitFor({ state: 'visible' });
    await page.getByLabel('start and stop executions').check();
    await picture('choose-scopes');
    await page.locator('#create-key').click();
    const row = page.getByRole('row', { name: /starter/ });
    await row.waitFor();
    expect(await row.innerText()).toContain('executions:read, executions:write');
  });

  it('ends the session when the owner signs out', async () => {
    await page.locator('#sign-out').click();
    await page.locator('#sign-in-form').getByLabel('Email').waitFor();
    await page.reload();
    await page.locator('#sign-in-form').getByLabel('Email').waitFor();
    expect(faults).toEqual([]);
  });
});
