import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { openSignedIn, signInToConsole, type ConsolePage } from '../../support/browser/console-page';
import { nodeOnPage, pasteOnPage, saveOnPage } from '../../support/browser/editor-page';
import { dataOf, restClient, type Rest } from '../../support/rest';

/** Bytes that a program would lose that parses and writes JSON. */
const TEXT = `{
  "name": "Kept bytes", "zero": 1.0, "big": 12345678901234567890,
  "nodes": [
    { "id": "a", "name": "Start", "type": "n8n-nodes-base.manualTrigger", "typeVersion": 1,
      "position": [0.0, 0], "parameters": {} },
    { "id": "b", "name": "Set", "type": "n8n-nodes-base.set", "typeVersion": 3.4,
      "position": [300, 0], "parameters": {"x": "caf\\u00e9"} }
  ],
  "connections": { "Start": { "main": [ [ { "node": "Set", "type": "main", "index": 0 } ] ] } },
  "settings": { }
}`;

describe('saving a workflow in the console', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let rest: Rest;
  let base = '';
  let id = '';

  const storedText = async (): Promise<string> => {
    const { text: list } = await rest('GET', `/workflows/${id}/versions?limit=1`);
    const versionId = /"versionId":"([^"]+)"/.exec(list)?.[1] ?? '';
    const { text } = await rest('GET', `/workflows/${id}/versions/${versionId}`);
    return text.slice(text.indexOf('"definition":') + '"definition":'.length, -2);
  };
  const put = (text: string) =>
    fetch(`${base}/api/v1/workflows/${id}`, {
      method: 'PUT',
      headers: { 'x-svc-api-key': stack.apiKey, 'content-type': 'application/json' },
      body: text,
    });
  const open = async (search = ''): Promise<void> => {
    await at.page.goto(`${base}/console/workflows/${id}${search}`);
    await at.page.getByRole('heading', { name: 'Kept bytes', level: 1 }).waitFor();
  };
  const setLimit = async (seconds: string): Promise<void> => {
    await at.page.getByLabel('Time limit in seconds').fill(seconds);
    await at.page.keyboard.press('Enter');
    await at.page.getByText(/^\d+ changes?$/).waitFor();
  };

  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    rest = restClient(base, stack.apiKey);
    const created = await fetch(`${base}/api/v1/workflows`, {
      method: 'POST',
      headers: { 'x-svc-api-key': stack.apiKey, 'content-type': 'application/json' },
      body: TEXT,
    });
    const { data } = (await created.json()) as { data: { id: string } };
    id = data.id;
    browser = await launchChromium();
    at = await openSignedIn(browser, stack);
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });

  it('changes the edited span and no other byte', async () => {
    await open();
    await nodeOnPage(at.page, 'Set').press('d');
    await saveOnPage(at);
    expect(await storedText()).toBe(TEXT.replace('"caf\\u00e9"} }', '"caf\\u00e9"}, "disabled":true }'));
  });

  it('offers unsaved work after a reload, and continues with it', async () => {
    await open('?tab=settings');
    await setLimit('111');
    await at.page.getByTitle('This browser keeps them as a draft').waitFor();
    await at.page.reload();
    await at.page.getByText(/has unsaved changes of this workflow/).waitFor();
    await at.checkAccess('draft');
    await at.page.getByRole('button', { name: 'Restore them' }).click();
    expect(await at.page.getByLabel('Time limit in seconds').inputValue()).toBe('111');
  });

  it('merges what another user saved elsewhere in the workflow, without a question', async () => {
    const text = await storedText();
    expect((await put(text.replace('"settings": { }', '"settings": {"timezone": "Europe/Berlin"}'))).status).toBe(200);
    await at.page.keyboard.press('Control+s');
    await at.page.getByText('Saved, merged with changes made elsewhere').waitFor();
    const { settings } = dataOf(await rest('GET', `/workflows/${id}`));
    expect(settings).toEqual({ timezone: 'Europe/Berlin', executionTimeout: 111 });
  });

  it('asks which value counts where both changed the same one', async () => {
    await setLimit('222');
    const text = await storedText();
    expect((await put(text.replace('111', '333'))).status).toBe(200);
    await at.page.keyboard.press('Control+s');
    const dialog = at.page.getByRole('dialog', { name: 'Someone else saved this workflow' });
    await dialog.getByText('settings.executionTimeout').waitFor();
    await at.checkAccess('conflict');
    await dialog.getByLabel(/^Yours/).check();
    await dialog.getByRole('button', { name: 'Save the merge' }).click();
    await at.page.getByRole('button', { name: /^Save/, disabled: true }).waitFor();
    const { settings } = dataOf(await rest('GET', `/workflows/${id}`));
    expect(settings).toEqual({ timezone: 'Europe/Berlin', executionTimeout: 222 });
  });

  it('shows the difference to an earlier version, and restores that version as the new one', async () => {
    await at.page.getByRole('link', { name: 'Versions' }).click();
    await at.page.getByRole('region', { name: 'Differences' }).getByText('executionTimeout').waitFor();
    await at.checkAccess('versions');
    await at.page.getByRole('button', { name: 'Restore' }).last().click();
    await at.page
      .getByRole('dialog', { name: 'Restore this version?' })
      .getByRole('button', { name: 'Restore' })
      .click();
    await nodeOnPage(at.page, 'Set').waitFor();
    await saveOnPage(at);
    expect(await storedText()).toBe(TEXT);
  });

  it('keeps work that the user leaves, and erases it at sign-out', async () => {
    const { page } = at;
    await open('?tab=settings');
    await setLimit('444');
    await page.getByTitle('This browser keeps them as a draft').waitFor();
    await page.getByRole('link', { name: 'Back to workflows' }).click();
    await page.getByRole('button', { name: 'Keep them and leave' }).click();
    await open();
    await page.getByText(/has unsaved changes of this workflow/).waitFor();
    await page.goto(`${base}/console/`);
    await page.getByRole('button', { name: /Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await signInToConsole(at, stack);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await open('?tab=settings');
    await page.getByLabel('Time limit in seconds').waitFor();
    expect(await page.getByText(/has unsaved changes of this workflow/).count()).toBe(0);
  });

  it('says so in the second tab of a workflow', async () => {
    const second = await at.page.context().newPage();
    await second.goto(`${base}/console/workflows/${id}`);
    await second.getByText('This workflow is open in another tab of this browser').waitFor();
    await second.close();
  });

  it('does not change a workflow that is managed elsewhere, and makes a copy of it', async () => {
    const managed = await rest('POST', '/workflows?managedBy=cli&set=shop&source=shop/orders.json', {
      ...JSON.parse(TEXT),
      name: 'Managed',
    });
    await at.page.goto(`${base}/console/workflows/${String(dataOf(managed)['id'])}`);
    await at.page.getByText('Managed from Git (shop/orders.json): read-only here.').waitFor();
    expect(await at.page.getByRole('button', { name: /^Save/ }).count()).toBe(0);
    await at.page.getByRole('button', { name: 'Make a copy' }).click();
    await at.page.getByRole('heading', { name: 'Copy of Managed', level: 1 }).waitFor();
  });

  it('imports several workflows from pasted text, and shows what they need', async () => {
    const { page } = at;
    await page.goto(`${base}/console/workflows`);
    await page.getByRole('button', { name: 'Import' }).waitFor();
    const credentials = { httpHeaderAuth: { id: 'elsewhere', name: 'Shop key' } };
    const call = {
      ...{ id: 'c', name: 'Call', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, position: [0, 0] },
      parameters: {
        url: 'https://example.com',
        authentication: 'genericCredentialType',
        genericAuthType: 'httpHeaderAuth',
      },
      credentials,
    };
    const workflow = { name: 'Pasted', nodes: [call], connections: {}, settings: {} };
    await pasteOnPage(page, JSON.stringify([workflow, { ...workflow, name: '<b>Pasted too</b>' }]));
    const dialog = page.getByRole('dialog', { name: 'Import 2 workflows' });
    await dialog.getByLabel('Credential for Shop key').waitFor();
    await at.checkAccess('import');
    await dialog.getByRole('button', { name: 'Create a credential: Shop key' }).click();
    const form = page.getByRole('dialog', { name: /^New credential/ });
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Shop key');
    await form.getByLabel('Name of the header').fill('x-key');
    await form.getByLabel('Value', { exact: true }).fill('secret');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    const chosen = dialog.getByLabel('Credential for Shop key').locator('option:checked');
    expect(await chosen.textContent()).toBe('Shop key');
    await dialog.getByRole('button', { name: 'Import 2 workflows' }).click();
    await page.getByRole('link', { name: '<b>Pasted too</b>' }).first().waitFor();
  });

  it('shows no script error, policy violation, foreign request or accessibility finding', () => {
    expect(at.faults).toEqual([]);
  });
});
