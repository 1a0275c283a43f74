import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { openSignedIn, pressInDialog, rowOf, told, type ConsolePage } from '../../support/browser/console-page';
import { startEchoServer, type EchoServer } from '../../support/stand-ins/echo-server';
import { picture } from '../../support/browser/picture';
import { dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { makeUser, USER_PASSWORD } from '../../support/users';
import { node } from '../../support/workflows';

const GIVER = 'Console vault & <b>more</b>';
const TAKER = 'Console buyers of the vault';
const NAME = 'Ledger <i>key</i> of the console';
const ADMIN = 'console-vault@users.invalid';
const SECRET = 'very-secret-of-the-console';

describe('credentials in the console', () => {
  let stack: Stack;
  let browser: Browser;
  let owner: Rest;
  /** The browsers of the admin of the project that owns the credential, and of the owner of the instance. */
  let admin: ConsolePage;
  let at: ConsolePage;
  let echo: EchoServer;
  const ids = { giver: '', taker: '', credential: '' };

  const openCredential = async (of: ConsolePage, name = NAME): Promise<void> => {
    await of.open('/credentials', 'Credentials');
    await of.page.getByRole('link', { name }).click();
    await of.page.getByRole('heading', { name, level: 1 }).waitFor();
  };
  const grantedNames = async (): Promise<unknown[]> =>
    listOf(await owner('GET', `/projects/${ids.taker}/granted-credentials`)).map(({ name }) => name);

  beforeAll(async () => {
    stack = await borrowStack();
    owner = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    echo = await startEchoServer({});
    ids.giver = textOf(await owner('POST', '/projects', { name: GIVER }), 'id');
    ids.taker = textOf(await owner('POST', '/projects', { name: TAKER }), 'id');
    await makeUser(stack, 'console-vault', 'editor');
    await owner('POST', `/projects/${ids.giver}/members`, { email: ADMIN, role: 'admin' });
    browser = await launchChromium();
    admin = await openSignedIn(browser, stack, { email: ADMIN, password: USER_PASSWORD });
    at = await openSignedIn(browser, stack);
  });
  afterAll(async () => {
    await browser?.close();
    await echo?.stop();
    await giveStackBack(stack);
  });
  afterEach(() => expect([...at.faults, ...admin.faults]).toEqual([]));

  it('are created by an admin of a project, from the form of their type', async () => {
    await admin.page.getByRole('link', { name: 'Credentials' }).click();
    await admin.page.getByRole('heading', { name: 'No credentials yet' }).waitFor();
    await admin.checkAccess('no credentials');
    await admin.page.getByRole('link', { name: /^New/ }).first().click();
    await admin.page.getByLabel('Search credential types').fill('httpHeader');
    await admin.checkAccess('credential types');
    await admin.page.getByRole('link', { name: /^Header/ }).click();
    await admin.page.getByRole('heading', { name: 'New credential: Header' }).waitFor();
    await admin.checkAccess('new credential');
    await admin.page.getByLabel('Name', { exact: true }).fill(NAME);
    expect(await admin.page.getByLabel('Belongs to').locator('option').allTextContents()).toEqual([GIVER]);
    await admin.page.getByLabel('Name of the header').fill('X-Key');
    expect(await admin.page.getByLabel('Value').getAttribute('type')).toBe('password');
    await admin.page.getByLabel('Value').fill(SECRET);
    await admin.page.getByRole('button', { name: 'Create' }).click();
    await admin.page.getByRole('heading', { name: NAME, level: 1 }).waitFor();
    ids.credential = admin.page.url().split('/').at(-1) ?? '';
    expect(await admin.page.content()).not.toContain(SECRET);
    const stored = dataOf(await owner('GET', `/credentials/${ids.credential}`));
    expect(stored).toMatchObject({ name: NAME, type: 'httpHeaderAuth', ownerId: ids.giver });
    await admin.checkAccess('credential');
    await picture(admin.page, stack, 'console-credential');
  });

  it('are tested against an address, and the list shows the result', async () => {
    await admin.page.getByLabel('Address to try').fill(`${echo.url}/ledger`);
    await admin.page.getByRole('button', { name: 'Test', exact: true }).click();
    await admin.page.getByRole('status').getByText('Accepted').waitFor();
    expect(echo.received()).toContain(`x-key: ${SECRET}`);
    await admin.page.getByRole('link', { name: 'Back to credentials' }).click();
    await rowOf(admin.page, NAME).getByText('Accepted').waitFor();
    await rowOf(admin.page, NAME).getByText(GIVER).waitFor();
    await admin.checkAccess('credentials');
  });

  it('are renamed, and their data is replaced without showing the stored one', async () => {
    await openCredential(at);
    await at.page.getByRole('button', { name: 'Replace data' }).click();
    await at.checkAccess('replace data');
    await at.page.getByLabel('Name of the header').fill('X-New-Key');
    await pressInDialog(at.page, 'Replace');
    await told(at.page, 'was replaced');
    // A secret that an owner leaves empty stays.
    await at.page.getByLabel('Address to try').fill(`${echo.url}/ledger`);
    await at.page.getByRole('button', { name: 'Test', exact: true }).click();
    await at.page.getByRole('status').getByText('Accepted').waitFor();
    expect(echo.received()).toContain(`x-new-key: ${SECRET}`);
  });

  it('are granted by that admin to another project, and revoked by the owner after a question', async () => {
    await openCredential(admin);
    await admin.page.getByText('It is not granted to anyone else').waitFor();
    await admin.page.getByRole('button', { name: 'Grant', exact: true }).click();
    const projects = admin.page.getByRole('dialog').getByLabel('Project');
    expect(await projects.locator('option').allTextContents()).not.toContain(GIVER);
    await projects.selectOption({ label: TAKER });
    await admin.checkAccess('grant');
    await pressInDialog(admin.page, 'Grant');
    await rowOf(admin.page, TAKER).getByText(ADMIN).waitFor();
    expect(await grantedNames()).toEqual([NAME]);
    await at.page.reload();
    await at.page.getByRole('button', { name: `Revoke the grant to ${TAKER}` }).click();
    await at.page.getByRole('dialog').getByText(`Nodes of ${TAKER} that use ${NAME} will fail`).waitFor();
    await pressInDialog(at.page, 'Revoke');
    await at.page.getByText('It is not granted to anyone else').waitFor();
    expect(await grantedNames()).toEqual([]);
  });

  it('are shown as they are after a refusal', async () => {
    await admin.page.getByRole('button', { name: `Revoke the grant to ${TAKER}` }).click();
    await pressInDialog(admin.page, 'Revoke');
    await admin.page.getByRole('dialog').getByText('is not granted to').waitFor();
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
    await admin.page.getByText('It is not granted to anyone else').waitFor();
  });

  it('name the workflows that use them before they are deleted', async () => {
    const workflow = await owner('POST', '/workflows', {
      name: 'Ledger user',
      projectId: ids.giver,
      nodes: [
        node('Start', 'manualTrigger', 1, 0),
        {
          ...node('Call', 'httpRequest', 4.2, 220, { url: echo.url, authentication: 'genericCredentialType' }),
          credentials: { httpHeaderAuth: { id: ids.credential, name: NAME } },
        },
      ],
      connections: {},
      settings: {},
    });
    expect(workflow.status).toBe(201);
    await openCredential(at);
    await at.page.getByRole('button', { name: 'Delete' }).click();
    await pressInDialog(at.page, 'Delete');
    await at.page.getByRole('dialog', { name: 'Workflows use this credential' }).waitFor();
    await at.page.getByRole('dialog').getByRole('link', { name: 'Ledger user' }).waitFor();
    await at.checkAccess('credential in use');
    await pressInDialog(at.page, 'Delete anyway');
    await at.page.getByRole('heading', { name: 'Credentials', level: 1 }).waitFor();
    expect((await owner('GET', `/credentials/${ids.credential}`)).status).toBe(404);
  });

  it('need no horizontal scrolling in a narrow window', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    for (const [path, heading] of [
      ['/credentials', 'Credentials'],
      ['/credentials/new?type=postgres', 'New credential: PostgreSQL'],
      ['/projects', 'Projects'],
      ['/people', 'People'],
      ['/keys', 'API keys'],
      ['/audit', 'Audit log'],
      ['/account', 'Account'],
    ] as const) {
      await at.open(path, heading);
      await at.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      expect([path, await at.page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([
        path,
        true,
      ]);
      await at.checkAccess(`${path}, narrow`);
    }
  });
});
