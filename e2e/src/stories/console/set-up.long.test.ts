import { startStack, type Stack } from '@weft/local-stack';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { openConsole, signInAs, type ConsolePage } from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';

const OWNER = { email: 'first@example.test', password: 'a long enough password' };
const NO_OWNER = { WEFT_OWNER_EMAIL: '', WEFT_OWNER_PASSWORD: '', WEFT_OWNER_API_KEY: '' };

describe('the console of an instance without an owner', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let code = '';

  beforeAll(async () => {
    stack = await startStack({ env: { credentials: NO_OWNER } });
    const log = readFileSync(join(stack.dataDir, 'logs', 'credentials.log'), 'utf8');
    code = /set-up code ([0-9A-Z-]{23})/.exec(log)?.[1] ?? '';
    browser = await launchChromium();
    at = await openConsole(browser, stack.baseUrls[0] ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });
  afterEach(() => expect(at.faults).toEqual([]));

  const fill = async (page: Page, setupCode: string, email: string, repeated = OWNER.password): Promise<void> => {
    await page.getByLabel('Set-up code').fill(setupCode);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
    await page.getByLabel('Repeat the password').fill(repeated);
    await page.getByRole('button', { name: 'Create owner' }).click();
  };

  it('refuses passwords that differ and a wrong code, and says so', async () => {
    await at.page.goto(stack.baseUrls[0] ?? '');
    await at.page.getByRole('heading', { name: 'Set up Weft' }).waitFor();
    await at.checkAccess('set up');
    await picture(at.page, stack, 'console-set-up');
    await fill(at.page, code, OWNER.email, 'another long password');
    await at.page.getByRole('alert').getByText('The two passwords differ').waitFor();
    await fill(at.page, '00000-00000-00000-00000', OWNER.email);
    await at.page.getByRole('alert').getByText('set-up code is wrong').waitFor();
    await at.checkAccess('wrong code');
  });

  it('creates the owner with the code of the log, signs in, and sends later visitors to the sign-in', async () => {
    const late = await openConsole(browser, stack.baseUrls[0] ?? '');
    await late.page.goto(stack.baseUrls[0] ?? '');
    await late.page.getByRole('heading', { name: 'Set up Weft' }).waitFor();
    await fill(at.page, code, OWNER.email);
    await at.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await at.page
      .getByRole('button', { name: /Account/ })
      .getByText(OWNER.email)
      .waitFor();
    await fill(late.page, code, 'late@example.test');
    await late.page.getByRole('heading', { name: 'Sign in to Weft' }).waitFor();
    expect(late.faults).toEqual([]);
    await late.page.context().close();
  });

  it('is closed permanently: the owner signs in with the password', async () => {
    await at.page.context().clearCookies();
    await at.page.reload();
    await at.page.getByRole('heading', { name: 'Sign in to Weft' }).waitFor();
    await signInAs(at, OWNER.email, OWNER.password);
    await at.page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});
