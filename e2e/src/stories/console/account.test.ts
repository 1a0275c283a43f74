import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { openConsole, signInAs, told, type ConsolePage } from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';
import { restClient } from '../../support/rest';

const EMAIL = 'ada@users.invalid';
const OLD = 'an old long password';
const NEW = 'a new long password';

describe('a user who changes the password', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let elsewhere: ConsolePage;
  let base = '';

  const change = async (current: string, next: string, repeated = next): Promise<void> => {
    await at.page.getByLabel('Current password').fill(current);
    await at.page.getByLabel('New password', { exact: true }).fill(next);
    await at.page.getByLabel('Repeat the new password').fill(repeated);
    await at.page.getByRole('button', { name: 'Change the password' }).click();
  };
  const signedIn = async (password: string): Promise<ConsolePage> => {
    const page = await openConsole(browser, base);
    await page.page.goto(`${base}/console/account`);
    await signInAs(page, EMAIL, password);
    return page;
  };

  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    const user = { email: EMAIL, password: OLD, role: 'editor' };
    expect((await restClient(base, stack.apiKey)('POST', '/users', user)).status).toBe(201);
    browser = await launchChromium();
    at = await signedIn(OLD);
    elsewhere = await signedIn(OLD);
    for (const { page } of [at, elsewhere]) await page.getByRole('heading', { name: 'Password' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });

  it('is told what is wrong: the current password, or the repetition', async () => {
    await change('not the right password', NEW);
    await at.page.getByText('The current password is wrong.').waitFor();
    await at.checkAccess('password');
    await picture(at.page, stack, 'console-account-password');
    await change(OLD, NEW, 'something else that is long');
    await at.page.getByText('The two new passwords differ.').waitFor();
  });

  it('stays signed in here, and is signed out elsewhere', async () => {
    await change(OLD, NEW);
    await told(at.page, 'Password changed');
    await at.open('/workflows', 'Workflows');
    await elsewhere.page.reload();
    await elsewhere.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });

  it('signs in with the new password, not with the old one', async () => {
    await signInAs(elsewhere, EMAIL, OLD);
    await elsewhere.page.getByText('Email or password is wrong.').waitFor();
    await signInAs(elsewhere, EMAIL, NEW);
    await elsewhere.page.getByRole('heading', { name: 'Password' }).waitFor();
  });

  it('shows no script error, policy violation, foreign request or accessibility finding', () => {
    // The browser reports that the change with the wrong password was refused.
    expect([...at.faults, ...elsewhere.faults]).toEqual([expect.stringContaining('a status of 400')]);
  });
});
