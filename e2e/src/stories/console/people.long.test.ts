import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import {
  openConsole,
  pressInDialog,
  rowOf,
  signInAs,
  signInToConsole,
  told,
  type ConsolePage,
} from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';
import { listOf, restClient, textOf } from '../../support/rest';

const PASSWORD = 'a password of enough letters';
const EMAIL = 'ada.console@users.invalid';

describe('people in the console', () => {
  let stack: Stack;
  let browser: Browser;
  /** The browsers of the owner and of the invited person. */
  let at: ConsolePage;
  let invited: ConsolePage;
  let base = '';
  let link = '';
  let key = '';

  const statusWith = async (value: string): Promise<number> =>
    (await restClient(base, value)('GET', '/workflows?limit=1')).status;
  const shownLink = (): Promise<string> => at.page.getByRole('textbox', { name: 'Link' }).inputValue();
  const act = async (action: string): Promise<void> => {
    await at.page.getByRole('button', { name: `Actions for ${EMAIL}` }).click();
    await at.page.getByRole('menuitem', { name: action }).click();
  };
  const setPassword = async (password: string): Promise<void> => {
    await invited.page.getByLabel('Password', { exact: true }).fill(password);
    await invited.page.getByLabel('Repeat the password').fill(password);
    await invited.page.getByRole('button', { name: 'Set the password and sign in' }).click();
  };

  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    browser = await launchChromium();
    at = await openConsole(browser, base);
    invited = await openConsole(browser, base);
    await at.page.goto(base);
    await signInToConsole(at, stack);
    await at.page.getByRole('link', { name: 'People' }).click();
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });
  afterEach(() => expect([...at.faults, ...invited.faults]).toEqual([]));

  it('are invited by a link that is shown once', async () => {
    await at.page.getByRole('button', { name: 'Invite' }).click();
    await at.page.getByRole('dialog').getByLabel('Email').fill(EMAIL);
    await at.checkAccess('invite');
    await pressInDialog(at.page, 'Create the link');
    await at.page.getByRole('heading', { name: `Link for ${EMAIL}` }).waitFor();
    link = await shownLink();
    expect(link).toMatch(/^http:.*\/#invitation=[\w-]{43}$/);
    await at.checkAccess('people');
    await picture(at.page, stack, 'console-people');
    await at.page.reload();
    await rowOf(at.page, EMAIL).waitFor();
    expect(await at.page.content()).not.toContain(link.split('=')[1]);
  });

  it('set name and password, sign in and create a key; the link of /settings leads to the console', async () => {
    await invited.page.goto(link.replace(/\/(?:console|settings)\/#/, '/settings/#'));
    await invited.page.getByRole('heading', { name: 'Join Weft' }).waitFor();
    await invited.checkAccess('invitation');
    await invited.page.getByLabel('Name').fill('Ada');
    await setPassword(PASSWORD);
    await invited.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(invited.page.url()).not.toContain('invitation');
    expect(await invited.page.getByRole('link', { name: 'People' }).count()).toBe(0);
    await invited.page.getByRole('link', { name: 'API keys' }).click();
    await invited.page.getByRole('button', { name: /^New/ }).first().click();
    await invited.page.getByRole('dialog').getByLabel('Name').fill('sync');
    await pressInDialog(invited.page, 'Create');
    key = await invited.page.getByRole('textbox', { name: 'API key' }).inputValue();
    expect(await statusWith(key)).toBe(200);
  });

  it('read the same about a used link as about a wrong one', async () => {
    const stranger = await openConsole(browser, base);
    const texts: string[] = [];
    for (const address of [link, `${base}/console/#invitation=${'x'.repeat(43)}`]) {
      await stranger.page.goto('about:blank');
      await stranger.page.goto(address);
      await stranger.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
      texts.push(await stranger.page.getByRole('alert').innerText());
    }
    expect(texts[0]).toBe(texts[1]);
    await stranger.checkAccess('used link');
    expect(stranger.faults).toEqual([]);
    await stranger.page.context().close();
  });

  it('get another role, and are locked and unlocked: keys and sessions stop at once', async () => {
    await at.page.reload();
    await at.page.getByLabel(`Role of ${EMAIL}`).selectOption('viewer');
    await told(at.page, 'now has the role viewer');
    await act('Lock');
    await pressInDialog(at.page, 'Lock');
    await rowOf(at.page, EMAIL).getByText('locked').waitFor();
    expect(await statusWith(key)).toBe(401);
    await invited.page.reload();
    await invited.page.getByRole('heading', { name: 'Sign in to Weft' }).waitFor();
    await act('Unlock');
    await told(at.page, 'is unlocked');
    expect(await statusWith(key)).toBe(200);
  });

  it('lose a key that an owner deletes', async () => {
    await act('API keys');
    await at.page.getByRole('button', { name: 'Delete the key sync' }).click();
    await pressInDialog(at.page, 'Delete');
    await at.page.getByRole('dialog').getByText('This user has no API keys').waitFor();
    expect(await statusWith(key)).toBe(401);
    await at.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  });

  it('set a new password by a link, and end all their sessions', async () => {
    await act('Link for a new password');
    await at.page.getByRole('heading', { name: `Link for ${EMAIL}` }).waitFor();
    await invited.page.goto('about:blank');
    await invited.page.goto(await shownLink());
    await invited.page.getByRole('heading', { name: 'Set a new password' }).waitFor();
    await setPassword(`new ${PASSWORD}`);
    await invited.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await invited.open('/account', 'Account');
    await invited.checkAccess('account');
    await invited.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await pressInDialog(invited.page, 'Sign out everywhere');
    await invited.page.getByRole('heading', { name: 'Sign in to Weft' }).waitFor();
  });

  it('without rights see neither people nor the audit log, and read why', async () => {
    await signInAs(invited, EMAIL, `new ${PASSWORD}`);
    await invited.page.getByRole('heading', { name: 'Overview' }).waitFor();
    for (const name of ['People', 'Audit log', 'Credentials', 'Status'])
      expect(await invited.page.getByRole('link', { name }).count()).toBe(0);
    for (const [path, what] of [
      ['/people', 'the users'],
      ['/audit', 'the audit log'],
      ['/credentials', 'the credentials'],
    ] as const) {
      await invited.page.goto(`${base}/console${path}`);
      await invited.page.getByRole('heading', { name: `You may not see ${what}` }).waitFor();
      await invited.checkAccess(`${path}, forbidden`);
    }
  });

  it('are kept if they are the last owner, and deleted after a confirmation', async () => {
    await at.page.reload();
    await rowOf(at.page, EMAIL).waitFor();
    // Earlier stories may have created more users than a page has; the owner is the oldest.
    const more = at.page.getByRole('button', { name: 'Load more' });
    for (let page = 0; page < 20 && (await more.isVisible()); page += 1) {
      await more.click();
      await at.page.getByRole('button', { name: 'Loading …' }).waitFor({ state: 'detached' });
    }
    await at.page.getByLabel(`Role of ${stack.ownerEmail}`).selectOption('viewer');
    await told(at.page, 'last active owner');
    await act('Delete');
    await at.checkAccess('delete user');
    await pressInDialog(at.page, 'Delete');
    await rowOf(at.page, EMAIL).waitFor({ state: 'detached' });
  });

  it('and what they did are in the audit log, page by page and filtered in the address', async () => {
    const owner = restClient(base, stack.apiKey);
    await at.page.getByRole('link', { name: 'Audit log' }).click();
    await rowOf(at.page, 'user.delete').first().getByText(stack.ownerEmail).waitFor();
    await at.checkAccess('audit');
    await picture(at.page, stack, 'console-audit');
    for (let made = 0; made < 30; made += 1) {
      const id = textOf(await owner('POST', '/keys', { name: `audited ${made}` }), 'id');
      await owner('DELETE', `/keys/${id}`);
    }
    await at.page.getByRole('button', { name: 'Refresh' }).click();
    await rowOf(at.page, 'api-key.delete').first().waitFor();
    const rows = at.page.getByRole('table').getByRole('row');
    await rows.nth(50).waitFor();
    await at.page.getByRole('button', { name: 'Load more' }).click();
    await rows.nth(55).waitFor();
    const times = await rows
      .locator('time')
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('datetime') ?? ''));
    expect(times).toEqual([...times].sort().reverse());
    await at.page.getByLabel('Action').fill('user.delete');
    await at.page.keyboard.press('Enter');
    await rowOf(at.page, 'api-key.create').first().waitFor({ state: 'detached' });
    expect(at.page.url()).toContain('action=user.delete');
    await at.page.reload();
    await rowOf(at.page, 'user.delete').first().waitFor();
    const stored = listOf(await owner('GET', '/audit?action=user.delete&limit=50'));
    expect(await rows.count()).toBe(stored.length + 1);
  });
});
