import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium';
import { restClient } from '../support/rest';
import { alerted, openPage, picture, said, signIn } from '../support/settings-page';

const PASSWORD = 'a password of enough letters';
const EMAIL = 'ada@users.invalid';

describe('users on the settings page', () => {
  let stack: Stack;
  let browser: Browser;
  /** The owner's browser, and that of the person who is invited. */
  let page: Page;
  let invited: Page;
  let link = '';
  let key = '';
  const faults: string[] = [];

  const settings = () => `${stack.baseUrls[0] ?? ''}/settings`;
  /** Other stories may have left users whose addresses end like this one. */
  const rowOf = (email: string) =>
    page.locator('#user-rows tr').filter({ has: page.locator('td', { hasText: new RegExp(`^${email}( |$)`) }) });
  const statusWith = async (value: string): Promise<number> =>
    (await restClient(stack.baseUrls[0] ?? '', value)('GET', '/workflows?limit=1')).status;
  const invite = async (email: string): Promise<string> => {
    await page.locator('#new-user-email').fill(email);
    await page.locator('#invite').click();
    await page.locator('#new-invitation').waitFor({ state: 'visible' });
    return page.locator('#invitation-link').inputValue();
  };
  beforeAll(async () => {
    stack = await borrowStack();
    browser = await launchChromium();
    page = await openPage(browser, faults);
    invited = await openPage(browser, faults);
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });

  it('lets the owner invite a person by a link that is shown once', async () => {
    await page.goto(settings());
    await signIn(page, stack.ownerEmail, stack.ownerPassword);
    await page.locator('#users-section').waitFor({ state: 'visible' });
    link = await invite(EMAIL);
    expect(link).toMatch(/^http:.*\/settings\/#invitation=[\w-]{43}$/);
    await picture(page, stack, 'invite');
    await page.reload();
    await page.locator('#invitation-rows tr').filter({ hasText: EMAIL }).waitFor();
    expect(await page.content()).not.toContain(link.split('=')[1]);
  });

  it('lets that person set name and password, sign in and make a key', async () => {
    await invited.goto(link);
    await invited.locator('#invitation-view').waitFor({ state: 'visible' });
    await picture(invited, stack, 'invited');
    await invited.locator('#invited-name').fill('Ada');
    await invited.locator('#invited-password').fill(PASSWORD);
    await invited.locator('#invited-repeat').fill(PASSWORD);
    await invited.locator('#accept').click();
    await invited.locator('#keys-view').waitFor({ state: 'visible' });
    expect(invited.url()).not.toContain('invitation');
    expect(await invited.locator('#users-section').isVisible()).toBe(false);
    await invited.locator('#key-name').fill('sync');
    await invited.locator('#create-key').click();
    await invited.locator('#new-key').waitFor({ state: 'visible' });
    key = await invited.locator('#new-key-value').inputValue();
    expect(await statusWith(key)).toBe(200);
  });

  it('says the same of a used link as of a wrong one', async () => {
    const stranger = await openPage(browser, faults);
    const texts: (string | null)[] = [];
    for (const address of [link, `${settings()}/#invitation=${'x'.repeat(43)}`]) {
      await stranger.goto('about:blank');
      await stranger.goto(address);
      await alerted(stranger, 'no longer valid');
      texts.push(await stranger.locator('#alert').textContent());
    }
    expect(texts[0]).toBe(texts[1]);
    await stranger.context().close();
  });

  it('lets the owner change the role, and lock and unlock the user, whose key and session stop at once', async () => {
    await page.reload();
    await rowOf(EMAIL).locator('select').selectOption('viewer');
    await said(page, 'has the role viewer');
    await rowOf(EMAIL).getByRole('button', { name: /^Lock/ }).click();
    await page.locator('#confirm-do').click();
    await said(page, 'is locked');
    await picture(page, stack, 'users');
    expect(await statusWith(key)).toBe(401);
    await invited.reload();
    await invited.locator('#sign-in-view').waitFor({ state: 'visible' });
    await rowOf(EMAIL)
      .getByRole('button', { name: /^Unlock/ })
      .click();
    await said(page, 'is unlocked');
    expect(await statusWith(key)).toBe(200);
  });

  it('lets the owner see and delete the keys of the user', async () => {
    await rowOf(EMAIL).getByRole('button', { name: /^Keys/ }).click();
    await page.locator('#user-keys').waitFor({ state: 'visible' });
    await picture(page, stack, 'user-keys');
    await page.getByRole('button', { name: 'Delete key sync' }).click();
    await page.locator('#confirm-do').click();
    await page.locator('#user-no-keys').waitFor({ state: 'visible' });
    expect(await statusWith(key)).toBe(401);
  });

  it('lets a user with a new password in by a link, and the user ends all sessions', async () => {
    await rowOf(EMAIL)
      .getByRole('button', { name: /new password/ })
      .click();
    await page.locator('#new-invitation').waitFor({ state: 'visible' });
    await invited.goto('about:blank');
    await invited.goto(await page.locator('#invitation-link').inputValue());
    await invited.locator('#invited-password').fill(`new ${PASSWORD}`);
    await invited.locator('#invited-repeat').fill(`new ${PASSWORD}`);
    await invited.locator('#accept').click();
    await invited.locator('#keys-view').waitFor({ state: 'visible' });
    await invited.locator('#sign-out-everywhere').click();
    await invited.locator('#confirm-do').click();
    await invited.locator('#sign-in-view').waitFor({ state: 'visible' });
  });

  it('keeps the last owner, and deletes the user after a confirmation', async () => {
    await rowOf(stack.ownerEmail).locator('select').selectOption('viewer');
    await alerted(page, 'last active owner');
    await rowOf(EMAIL)
      .getByRole('button', { name: /^Delete/ })
      .click();
    await page.locator('#delete-user-dialog').waitFor({ state: 'visible' });
    await picture(page, stack, 'delete-user');
    await page.locator('#delete-user-confirm').click();
    await rowOf(EMAIL).waitFor({ state: 'detached' });
    await page.locator('#audit-refresh').click();
    const newest = page.locator('#audit-rows tr').first();
    await newest.filter({ hasText: 'user.delete' }).waitFor();
    expect(await newest.textContent()).toContain(`${stack.ownerEmail} from 127.0.0.1`);
    await picture(page, stack, 'audit');
    expect(faults).toEqual([]);
  });
});
