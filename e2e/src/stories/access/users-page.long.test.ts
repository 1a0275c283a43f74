import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { listOf, restClient, textOf } from '../../support/rest';
import { alerted, loaded, openPage, picture, said, signIn } from '../../support/browser/settings-page';

const PASSWORD = 'a password of enough letters';
const EMAIL = 'ada@users.invalid';

describe('users on the settings page', () => {
  let stack: Stack;
  let browser: Browser;
  /** The browsers of the owner and of the invited person. */
  let page: Page;
  let invited: Page;
  let link = '';
  let key = '';
  const faults: string[] = [];

  const settings = () => `${stack.baseUrls[0] ?? ''}/settings`;
  /** Other stories may have left users whose addresses end like this one. */
  const rowOf = (email: string) =>
    page.locator('#user-rows tr').filter({ has: page.locator('td', { hasText: new RegExp(`^${email}( |$)`) }) });
  const auditRows = (of: Page) => of.locator('#audit-rows tr');
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
    await loaded(invited);
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
    await loaded(invited);
    await invited.locator('#sign-out-everywhere').click();
    await invited.locator('#confirm-do').click();
    await invited.locator('#sign-in-view').waitFor({ state: 'visible' });
  });

  it('shows a viewer neither users nor credentials nor the audit log, and answers no question for them', async () => {
    await signIn(invited, EMAIL, `new ${PASSWORD}`);
    await said(invited, 'You are signed in');
    await loaded(invited);
    for (const part of ['users', 'projects', 'credentials', 'audit'])
      expect(await invited.locator(`#${part}-section`).isVisible()).toBe(false);
    const ask = (path: string) =>
      invited.evaluate(async (asked) => (await fetch(`/settings/api${asked}`)).status, path);
    expect([await ask('/audit'), await ask('/users'), await ask('/invitations')]).toEqual([403, 403, 403]);
  });

  it('pages through the audit log to its end, each record once', async () => {
    const owner = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    // More than two pages, whatever else was recorded.
    for (let made = 0; made < 15; made += 1) {
      const id = textOf(await owner('POST', '/keys', { name: `audited ${made}` }), 'id');
      await owner('DELETE', `/keys/${id}`);
    }
    await page.locator('#audit-refresh').click();
    await auditRows(page).first().filter({ hasText: 'api-key.delete' }).waitFor();
    expect(await auditRows(page).count()).toBe(20);
    for (let shown = 20; await page.locator('#audit-older').isVisible(); shown += 20) {
      await page.locator('#audit-older').click();
      await auditRows(page).nth(shown).waitFor();
    }
    const stored: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer = await owner('GET', `/audit?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
      for (const { action, outcome } of listOf(answer))
        stored.push(outcome === 'done' ? action : `${String(action)} (refused)`);
      cursor = answer.json.nextCursor ?? null;
    }
    expect(await auditRows(page).locator('td:nth-child(2)').allTextContents()).toEqual(stored);
  });

  it('says that a read of the audit log is refused, and continues from what it shows', async () => {
    const owner = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const id = listOf(await owner('GET', '/users')).find(({ email }) => email === EMAIL)?.['id'];
    await owner('PUT', `/users/${String(id)}`, { role: 'admin' });
    await invited.reload();
    await auditRows(invited).nth(19).waitFor();
    await owner('PUT', `/users/${String(id)}`, { role: 'editor' });
    await invited.locator('#audit-refresh').click();
    await alerted(invited, 'The role editor may not do this');
    await picture(invited, stack, 'audit-refused');
    await owner('PUT', `/users/${String(id)}`, { role: 'admin' });
    await invited.locator('#audit-older').click();
    await auditRows(invited).nth(39).waitFor();
    const times = await auditRows(invited)
      .locator('time')
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('datetime') ?? ''));
    expect(times).toEqual([...times].sort().reverse());
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
