import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { smallApp } from '../../support/apps';
import { launchChromium } from '../../support/browser/chromium';
import { openSignedIn, pressInDialog, rowOf, told, type ConsolePage } from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';
import { restClient, textOf, type Rest } from '../../support/rest';
import { makeUser, USER_PASSWORD } from '../../support/users';
import { chain, node } from '../../support/workflows';

const APP = 'console-app';
const KIND = 'consoleApp';
const WORKFLOW = 'Uses an app of the console';

describe('apps in the console', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let viewer: ConsolePage;
  let rest: Rest;
  let workflow = '';

  beforeAll(async () => {
    stack = await borrowStack({});
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    await makeUser(stack, 'console-apps', 'viewer');
    browser = await launchChromium();
    at = await openSignedIn(browser, stack);
    viewer = await openSignedIn(browser, stack, { email: 'console-apps@users.invalid', password: USER_PASSWORD });
  });
  afterAll(async () => {
    await browser?.close();
    await rest?.('DELETE', `/workflows/${workflow}`);
    await rest?.('DELETE', `/apps/${APP}?force=true`);
    await giveStackBack(stack);
  });
  afterEach(() => expect([...at.faults, ...viewer.faults]).toEqual([]));

  it('are found in the navigation, with how to add one', async () => {
    await at.page.getByRole('link', { name: 'Apps', exact: true }).click();
    await at.page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor();
    await at.page.getByText('weft app add app.yaml').waitFor();
    await at.checkAccess('no apps');
  });

  it('are listed with their kinds, their revision and the user who changed them', async () => {
    expect((await rest('PUT', `/apps/${APP}`, smallApp(APP, KIND))).status).toBe(201);
    await at.open('/apps', 'Apps');
    const row = rowOf(at.page, KIND);
    await row.getByText(stack.ownerEmail).waitFor();
    expect(await row.locator('code').last().textContent()).toMatch(/^[0-9a-f]{12}$/);
    await picture(at.page, stack, 'console-apps');
    await at.checkAccess('apps');
  });

  it('can be read, but not removed, by a viewer', async () => {
    await viewer.open('/apps', 'Apps');
    await rowOf(viewer.page, KIND).waitFor();
    expect(await viewer.page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    await viewer.checkAccess('apps of a viewer');
  });

  it('that active workflows use are removed only after these were named', async () => {
    const file = chain(WORKFLOW, [node('Hook', 'webhook', 2, 0, { path: 'console-app' }), node('Read', KIND, 1, 220)]);
    workflow = textOf(await rest('POST', '/workflows', file), 'id');
    expect((await rest('POST', `/workflows/${workflow}/activate`)).status).toBe(200);
    await at.open('/apps', 'Apps');
    await at.page.getByRole('button', { name: `Remove ${APP}` }).click();
    await pressInDialog(at.page, 'Remove');
    const dialog = at.page.getByRole('dialog', { name: 'Active workflows use this app' });
    await dialog.getByRole('link', { name: WORKFLOW }).waitFor();
    await at.checkAccess('an app in use');
    await pressInDialog(at.page, 'Remove anyway');
    await told(at.page, `${APP} was removed`);
    await rowOf(at.page, KIND).waitFor({ state: 'detached' });
    expect((await rest('GET', `/apps/${APP}`)).status).toBe(404);
  });

  it('need no horizontal scrolling in a narrow window', async () => {
    expect((await rest('PUT', `/apps/${APP}`, smallApp(APP, KIND))).status).toBe(201);
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.open('/apps', 'Apps');
    await rowOf(at.page, KIND).waitFor();
    expect(await at.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await at.checkAccess('apps, narrow');
    await picture(at.page, stack, 'console-narrow-apps');
  });
});
