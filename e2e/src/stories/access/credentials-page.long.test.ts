import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { listOf, restClient, textOf, type Rest } from '../../support/rest';
import { alerted, loaded, openPage, picture, said, signIn } from '../../support/browser/settings-page';
import { makeUser, USER_PASSWORD } from '../../support/users';

const GIVER = 'Vault & <b>more</b>';
const TAKER = 'Buyers of the vault';
const CREDENTIAL = 'Ledger <i>key</i>';
const ADMIN = 'vault-admin@users.invalid';
const EDITOR = 'vault-editor@users.invalid';

describe('grants of credentials on the settings page', () => {
  let stack: Stack;
  let browser: Browser;
  let owner: Rest;
  /** The browsers of the admin of the project that owns the credential, and of the owner of the instance. */
  let admin: Page;
  let page: Page;
  let taker = '';
  const faults: string[] = [];

  const openAs = async (email: string, password: string): Promise<Page> => {
    const opened = await openPage(browser, faults);
    await opened.goto(`${stack.baseUrls[0] ?? ''}/settings`);
    await signIn(opened, email, password);
    await loaded(opened);
    return opened;
  };
  const openGrants = async (of: Page): Promise<void> => {
    const row = of.locator('#credential-rows tr').filter({ hasText: CREDENTIAL });
    expect(await row.locator('td').allTextContents()).toEqual([CREDENTIAL, 'httpHeaderAuth', GIVER, 'Grants']);
    await row.getByRole('button', { name: 'Grants of' }).click();
    await of.getByRole('heading', { name: `Projects that ${CREDENTIAL} is granted to` }).waitFor();
  };
  const grantRow = (of: Page) => of.locator('#grant-rows tr').filter({ hasText: TAKER });
  const revoke = async (of: Page): Promise<void> => {
    await grantRow(of)
      .getByRole('button', { name: /^Revoke/ })
      .click();
    await of
      .locator('#confirm-text')
      .filter({ hasText: `Nodes of ${TAKER} that use ${CREDENTIAL} will fail` })
      .waitFor();
    await of.locator('#confirm-do').click();
  };
  const namesGranted = async (): Promise<unknown[]> =>
    listOf(await owner('GET', `/projects/${taker}/granted-credentials`)).map(({ name }) => name);

  beforeAll(async () => {
    stack = await borrowStack();
    owner = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const giver = textOf(await owner('POST', '/projects', { name: GIVER }), 'id');
    taker = textOf(await owner('POST', '/projects', { name: TAKER }), 'id');
    await makeUser(stack, 'vault-admin', 'editor');
    await makeUser(stack, 'vault-editor', 'editor');
    await owner('POST', `/projects/${giver}/members`, { email: ADMIN, role: 'admin' });
    await owner('POST', `/projects/${giver}/members`, { email: EDITOR, role: 'editor' });
    const data = { name: 'X-Key', value: 'very-secret' };
    await owner('POST', '/credentials', { name: CREDENTIAL, type: 'httpHeaderAuth', data, projectId: giver });
    browser = await launchChromium();
    admin = await openAs(ADMIN, USER_PASSWORD);
    page = await openAs(stack.ownerEmail, stack.ownerPassword);
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });

  it('are made by an admin of the project that owns it, to whom text stays text, and who sees no others', async () => {
    expect(await admin.locator('#credential-rows tr').count()).toBe(1);
    await openGrants(admin);
    await admin.locator('#no-grants').waitFor({ state: 'visible' });
    expect(await admin.locator('#grant-project option').allTextContents()).not.toContain(GIVER);
    await admin.locator('#grant-project').selectOption({ label: TAKER });
    await admin.locator('#grant').click();
    await said(admin, `${CREDENTIAL} is granted to ${TAKER}`);
    expect(await grantRow(admin).locator('td').nth(1).textContent()).toBe(ADMIN);
    expect(await admin.locator('#grant-project option').allTextContents()).not.toContain(TAKER);
    expect(await namesGranted()).toEqual([CREDENTIAL]);
    await picture(admin, stack, 'grants');
  });

  it('are shown to the owner with who made them, and end after a question', async () => {
    await openGrants(page);
    expect(await grantRow(page).locator('td').nth(1).textContent()).toBe(ADMIN);
    await revoke(page);
    await said(page, `${CREDENTIAL} is no longer granted to ${TAKER}`);
    await page.locator('#no-grants').waitFor({ state: 'visible' });
    expect(await page.locator('#grant-project option').allTextContents()).toContain(TAKER);
    expect(await namesGranted()).toEqual([]);
  });

  it('are shown as they are after a refusal', async () => {
    await revoke(admin);
    await alerted(admin, 'is not granted to');
    await admin.locator('#no-grants').waitFor({ state: 'visible' });
  });

  it('are no part of the page of those who manage no credentials', async () => {
    const editor = await openAs(EDITOR, USER_PASSWORD);
    expect(await editor.locator('#projects-section').isVisible()).toBe(true);
    expect(await editor.locator('#credentials-section').isVisible()).toBe(false);
    expect(faults).toEqual([]);
  });
});
