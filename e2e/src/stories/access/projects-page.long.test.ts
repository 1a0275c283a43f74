import { startStack, type Stack } from '@weft/local-stack';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { alerted, loaded, openPage, said, signIn } from '../../support/browser/settings-page';
import { makeUser, USER_PASSWORD } from '../../support/users';

const MEMBER = 'page-member@users.invalid';
const NAME = 'Sales & <b>more</b>';

describe('projects on the settings page', () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  const openAs = async (email: string, password: string): Promise<Page> => {
    const opened = await openPage(browser, faults);
    await opened.goto(`${stack.baseUrls[0] ?? ''}/settings`);
    await signIn(opened, email, password);
    await loaded(opened);
    return opened;
  };
  /** The page reads the rows again after it has reported the change. */
  const readBy = (row: Locator, readers: string) =>
    row.locator('td').nth(1).filter({ hasText: readers }).waitFor({ state: 'visible' });
  const openMembers = async (of: Page): Promise<void> => {
    await of.locator('#project-rows tr').filter({ hasText: NAME }).getByRole('button', { name: 'Members of' }).click();
    await of.locator('#members').waitFor({ state: 'visible' });
  };
  const memberRow = (of: Page) => of.locator('#member-rows tr').filter({ hasText: MEMBER });

  beforeAll(async () => {
    // Not a borrowed stack: the page would list the projects of other stories too.
    stack = await startStack({ env: { credentials: { RATE_LIMIT_PER_MINUTE: '0' } } });
    await makeUser(stack, 'page-member', 'editor');
    browser = await launchChromium();
    page = await openAs(stack.ownerEmail, stack.ownerPassword);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  it('are made by an owner, whose text stays text', async () => {
    await page.locator('#projects-section').waitFor({ state: 'visible' });
    await page.locator('#project-name').fill(NAME);
    await page.locator('#create-project').click();
    await said(page, 'was created');
    await page.locator('#project-rows tr').filter({ hasText: NAME }).waitFor({ state: 'visible' });
  });

  it('are closed at once, and opened after a question', async () => {
    const row = page.locator('#project-rows tr').filter({ hasText: NAME });
    await readBy(row, 'all users');
    await row.getByRole('button', { name: 'Close project' }).click();
    await said(page, 'is closed');
    await readBy(row, 'members');
    await row.getByRole('button', { name: 'Open project' }).click();
    await page.locator('#confirm-do').click();
    await said(page, 'is open');
    await readBy(row, 'all users');
    await page.locator('#project-name').fill('Payroll');
    await page.locator('#project-closed').check();
    await page.locator('#create-project').click();
    await said(page, 'Payroll was created');
    const closed = page.locator('#project-rows tr').filter({ hasText: 'Payroll' });
    await readBy(closed, 'members');
    await closed.getByRole('button', { name: 'Delete project' }).click();
    await page.locator('#confirm-do').click();
    await said(page, 'Payroll was deleted');
  });

  it('get members, whose role the owner changes', async () => {
    await openMembers(page);
    await page.locator('#new-member-email').fill('nobody@users.invalid');
    await page.locator('#add-member').click();
    await alerted(page, 'No user has email');
    await page.locator('#new-member-email').fill(MEMBER);
    await page.locator('#add-member').click();
    await memberRow(page).waitFor({ state: 'visible' });
    await memberRow(page).locator('select').selectOption('admin');
    await said(page, 'has the role admin');
  });

  it('are made before all else is there, and that is what the page says then', async () => {
    const early = await openPage(browser, faults);
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    await early.route('**/settings/api/audit*', async (route) => {
      await released;
      await route.continue();
    });
    await early.goto(`${stack.baseUrls[0] ?? ''}/settings`);
    await signIn(early, stack.ownerEmail, stack.ownerPassword);
    await early.locator('#project-name').fill('Early');
    await early.locator('#create-project').click();
    await said(early, 'Early was created');
    release(undefined);
    await loaded(early);
    expect(await early.locator('#status').textContent()).toBe('Early was created.');
    const row = early.locator('#project-rows tr').filter({ hasText: 'Early' });
    await row.getByRole('button', { name: 'Delete project' }).click();
    await early.locator('#confirm-do').click();
    await said(early, 'Early was deleted');
    await early.context().close();
  });

  it('are shown to a member, who manages them as their admin and neither makes nor deletes any', async () => {
    const member = await openAs(MEMBER, USER_PASSWORD);
    await member.locator('#projects-section').waitFor({ state: 'visible' });
    expect(await member.locator('#create-project-form').isVisible()).toBe(false);
    expect(await member.getByRole('button', { name: 'Delete project' }).count()).toBe(0);
    await openMembers(member);
    await memberRow(member).locator('select').selectOption('editor');
    await said(member, 'has the role editor');
    // The member is no longer an admin of it.
    await memberRow(member).locator('select').selectOption('admin');
    await alerted(member, 'Only its admins');
    expect(await memberRow(member).locator('select').inputValue()).toBe('editor');
    await member.context().close();
  });

  it('lose members, and are deleted after a question', async () => {
    await openMembers(page);
    await memberRow(page)
      .getByRole('button', { name: /^Remove/ })
      .click();
    await page.locator('#confirm-do').click();
    await page.locator('#no-members').waitFor({ state: 'visible' });
    await page.getByRole('button', { name: 'Delete project' }).click();
    await page.locator('#confirm-do').click();
    await page.locator('#no-projects').waitFor({ state: 'visible' });
    expect(faults).toEqual([]);
  });
});
