import { startStack, type Stack } from '@weft/local-stack';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { loaded } from '../../support/browser/settings-page';

const OWNER = { email: 'first@example.test', password: 'a long enough password' };
const NO_OWNER = { WEFT_OWNER_EMAIL: '', WEFT_OWNER_PASSWORD: '', WEFT_OWNER_API_KEY: '' };

describe('the set-up page of an instance without an owner', () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  let code = '';
  const faults: string[] = [];

  beforeAll(async () => {
    stack = await startStack({ env: { credentials: NO_OWNER } });
    code =
      /set-up code ([0-9A-Z-]{23})/.exec(readFileSync(join(stack.dataDir, 'logs', 'credentials.log'), 'utf8'))?.[1] ??
      '';
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/40[19]/.test(message.text())) faults.push(message.text());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const settings = () => `${stack.baseUrls[0] ?? ''}/settings`;
  const picture = async (name: string): Promise<void> => {
    const folder = join(stack.dataDir, 'logs', 'pictures');
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}.png`) });
  };
  const fill = async (setupCode: string, repeated = OWNER.password): Promise<void> => {
    await page.locator('#set-up-form').getByLabel('Set-up code').fill(setupCode);
    await page.locator('#set-up-form').getByLabel('Email').fill(OWNER.email);
    await page.locator('#set-up-form').getByLabel('Password', { exact: true }).fill(OWNER.password);
    await page.locator('#set-up-form').getByLabel('Repeat password').fill(repeated);
    await page.locator('#set-up').click();
  };

  it('refuses passwords that differ and a wrong code, and says so', async () => {
    await page.goto(settings());
    await page.locator('#set-up-view').waitFor({ state: 'visible' });
    await picture('set-up');
    await fill(code, 'another long password');
    expect(await page.locator('#set-up-repeat').evaluate((field) => field.matches(':invalid'))).toBe(true);
    await fill('00000-00000-00000-00000');
    await page.locator('#alert').waitFor({ state: 'visible' });
    expect(await page.locator('#alert').textContent()).toContain('set-up code is wrong');
    expect(await page.locator('#set-up-view').isVisible()).toBe(true);
    await picture('set-up-wrong-code');
  });

  it('makes the owner with the code of the log, signs in, and sends later visitors to the sign-in', async () => {
    const late = await browser.newPage();
    await late.goto(settings());
    await late.locator('#set-up-view').waitFor({ state: 'visible' });
    await fill(code);
    await loaded(page);
    expect(await page.locator('#who-email').textContent()).toBe(OWNER.email);
    await picture('set-up-done');
    for (const [label, text] of [
      ['Set-up code', code],
      ['Email', 'late@example.test'],
      ['Repeat password', OWNER.password],
    ] as const)
      await late.locator('#set-up-form').getByLabel(label).fill(text);
    await late.locator('#set-up-form').getByLabel('Password', { exact: true }).fill(OWNER.password);
    await late.locator('#set-up').click();
    await late.locator('#sign-in-view').waitFor({ state: 'visible' });
    expect(await late.locator('#alert').textContent()).toContain('already has an owner');
    await late.close();
  });

  it('is closed permanently: the owner signs in with the password', async () => {
    await page.locator('#sign-out').click();
    await page.reload();
    await page.locator('#sign-in-view').waitFor({ state: 'visible' });
    expect(await page.locator('#set-up-view').isVisible()).toBe(false);
    await page.locator('#email').fill(OWNER.email);
    await page.locator('#password').fill(OWNER.password);
    await page.locator('#sign-in').click();
    await loaded(page);
    expect(faults).toEqual([]);
  });
});
