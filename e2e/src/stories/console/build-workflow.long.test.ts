import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import {
  openConsole,
  pressInDialog,
  signInToConsole,
  told,
  type ConsolePage,
} from '../../support/browser/console-page';
import { addFromPalette, nodeOnPage, pasteOnPage, saveOnPage } from '../../support/browser/editor-page';
import { picture } from '../../support/browser/picture';
import { dataOf, restClient, type Rest } from '../../support/rest';

const end = (node: string) => ({ node, type: 'main', index: 0 });

/** The connections of the workflow that each user builds. */
const CONNECTIONS = {
  Webhook: { main: [[end('If')]] },
  If: { main: [[end('HTTP request')], [end('Respond to webhook')]] },
  'HTTP request': { main: [[end('Edit fields (Set)')]] },
  'Edit fields (Set)': { main: [[end('Respond to webhook')]] },
};

describe('building a workflow in the console', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let rest: Rest;

  beforeAll(async () => {
    stack = await borrowStack();
    const base = stack.baseUrls[0] ?? '';
    rest = restClient(base, stack.apiKey);
    browser = await launchChromium();
    at = await openConsole(browser, base);
    await at.page.goto(`${base}/console/workflows`);
    await signInToConsole(at, stack);
    await at.page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });

  const idOnPage = (): string => /workflows\/([\w-]+)/.exec(at.page.url())?.[1] ?? '';
  const connectionsOf = async (id: string): Promise<unknown> =>
    dataOf(await rest('GET', `/workflows/${id}`))['connections'];
  const create = async (): Promise<void> => {
    await at.page.goto(`${stack.baseUrls[0]}/console/workflows`);
    await at.page.getByRole('button', { name: 'New workflow' }).click();
    await at.page.getByRole('heading', { name: 'New workflow', level: 1 }).waitFor();
  };

  it('succeeds with the mouse: plus buttons, a dropped connection, a connection from port to port', async () => {
    const { page } = at;
    await create();
    await page.getByRole('button', { name: 'Add node' }).click();
    await at.checkAccess('palette');
    await addFromPalette(page, 'webhook', 'Webhook');
    await page.getByRole('button', { name: 'Add a node after Webhook' }).click();
    await addFromPalette(page, 'if', 'If');
    await page.getByRole('button', { name: 'Add a node after If, true' }).click();
    await page.getByRole('combobox', { name: 'Search nodes' }).fill('http');
    await page.getByRole('option', { name: 'HTTP request Makes' }).click();
    await page.getByRole('button', { name: 'Add a node after HTTP request' }).click();
    await addFromPalette(page, 'edit fields', 'Edit fields (Set)');
    await page.getByRole('button', { name: 'Show the whole graph' }).click();
    const port = async (node: string, side: 'in' | 'out', index: number) => {
      const wrapper = page.locator('.react-flow__node', { has: nodeOnPage(page, node) });
      const box = await wrapper.locator(`.react-flow__handle.${side}`).nth(index).boundingBox();
      if (box === null) throw new Error(`${node} has no such port`);
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const drag = async (from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await page.mouse.up();
    };
    const no = await port('If', 'out', 1);
    await drag(no, { x: no.x + 80, y: no.y + 120 });
    await page.getByRole('dialog', { name: 'Add after If' }).waitFor();
    await addFromPalette(page, 'respond', 'Respond to webhook');
    await page.getByRole('button', { name: 'Show the whole graph' }).click();
    await drag(await port('Edit fields (Set)', 'out', 0), await port('Respond to webhook', 'in', 0));
    await page.getByRole('button', { name: 'Tidy up' }).click();
    // The layout is loaded with its first use.
    await page.getByTitle(/^Undo: Move/).waitFor();
    await saveOnPage(at);
    expect(await connectionsOf(idOnPage())).toEqual(CONNECTIONS);
    await at.checkAccess('editor');
    await picture(page, stack, 'console-editor');
  });

  it('succeeds through the outline, by keyboard only', async () => {
    const { page } = at;
    await create();
    await page.getByRole('button', { name: 'Outline' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('a');
    await addFromPalette(page, 'webhook', 'Webhook');
    for (const [query, name] of [
      ['if', 'If'],
      ['http', 'HTTP request'],
      ['edit fields', 'Edit fields (Set)'],
      ['respond', 'Respond to webhook'],
    ] as const) {
      await page.keyboard.press('a');
      await addFromPalette(page, query, name);
    }
    await nodeOnPage(page, 'If').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Connect …' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Connections of If' });
    await dialog.getByLabel('From output').selectOption('false');
    await dialog.getByLabel('Connect to').selectOption('Respond to webhook');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).press('Enter');
    await dialog.getByText('false → Respond to webhook').waitFor();
    await at.checkAccess('connections');
    await page.keyboard.press('Escape');
    await saveOnPage(at);
    expect(await connectionsOf(idOnPage())).toEqual(CONNECTIONS);
    await at.checkAccess('outline');
  });

  it('renames with all references, disables, duplicates, deletes and undoes by keyboard', async () => {
    const { page } = at;
    await nodeOnPage(page, 'HTTP request').focus();
    await page.keyboard.press('F2');
    await page.getByRole('dialog', { name: 'Rename node' }).getByLabel('Name').fill('Prices "today"');
    await page.keyboard.press('Enter');
    await nodeOnPage(page, 'Prices "today"').press('d');
    await nodeOnPage(page, 'Prices "today"').getByText('disabled').waitFor();
    await nodeOnPage(page, 'If').press('Control+d');
    await nodeOnPage(page, 'If1').press('Delete');
    await nodeOnPage(page, 'If1').waitFor({ state: 'detached' });
    for (const step of ['the deletion', 'the copy', 'the state', 'the name']) {
      await page.getByRole('heading', { name: 'Nodes' }).click();
      await page.keyboard.press('Control+z');
      expect([step, await page.getByRole('button', { name: 'Redo' }).isEnabled()]).toEqual([step, true]);
    }
    await nodeOnPage(page, 'HTTP request').waitFor();
    await page.getByRole('button', { name: /^Save/, disabled: true }).waitFor();
  });

  it('begins with a trigger, types an expression in braces, writes items and names it, without a run', async () => {
    const { page } = at;
    await create();
    await at.checkAccess('editor without nodes');
    await page.getByRole('button', { name: 'When a webhook is called' }).click();
    await nodeOnPage(page, 'Webhook').waitFor();
    await page.getByRole('button', { name: 'Enter items' }).click();
    const items = page.getByRole('textbox', { name: 'Pinned items of Webhook' });
    await items.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('[{"body": {"qty": 12}}]');
    await page.getByRole('button', { name: 'Pin these items' }).click();
    await page.getByRole('button', { name: 'Add a node after Webhook' }).click();
    await addFromPalette(page, 'if', 'If');
    const condition = page.getByRole('listitem', { name: 'Condition 1' });
    await condition.getByRole('textbox', { name: 'First value' }).click();
    await page.keyboard.type('{{ $json.body.qty }}', { delay: 20 });
    await condition.locator('[data-preview=success]').getByText('12', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add condition' }).click();
    await page.keyboard.type('fixed');
    const second = page.getByRole('listitem', { name: 'Condition 2' });
    expect(await second.getByRole('textbox', { name: 'First value' }).inputValue()).toBe('fixed');
    await second.getByRole('button', { name: 'Remove Condition 2' }).click();
    await page.getByRole('button', { name: 'New workflow' }).click();
    await page.getByRole('textbox', { name: 'Name of the workflow' }).fill('Begun by hand');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Begun by hand', level: 1 }).waitFor();
  });

  it('saves the work before it activates the workflow', async () => {
    const { page } = at;
    await page.getByRole('switch', { name: /active$/ }).click();
    await told(page, 'Begun by hand is active');
    await page.getByRole('button', { name: /^Save/, disabled: true }).waitFor();
    const { active, name, nodes } = dataOf(await rest('GET', `/workflows/${idOnPage()}`));
    expect({ active, name, nodes: Array.isArray(nodes) ? nodes.length : 0 }).toEqual({
      active: true,
      name: 'Begun by hand',
      nodes: 2,
    });
    await rest('POST', `/workflows/${idOnPage()}/deactivate`);
  });

  it('creates the credential that a pasted node misses, without leaving the editor', async () => {
    const { page } = at;
    await create();
    const parameters = {
      url: 'https://example.com',
      authentication: 'genericCredentialType',
      genericAuthType: 'httpBasicAuth',
    };
    const credentials = { httpBasicAuth: { id: 'elsewhere', name: 'Shop API' } };
    const type = 'n8n-nodes-base.httpRequest';
    const nodes = [{ name: 'Send', type, typeVersion: 4.2, position: [0, 0], parameters, credentials }];
    await pasteOnPage(page, JSON.stringify({ nodes, connections: {} }));
    await nodeOnPage(page, 'Send').click();
    await page.getByRole('button', { name: /^Create a credential/ }).click();
    const dialog = page.getByRole('dialog', { name: /^New credential/ });
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Shop API');
    await dialog.getByLabel('User', { exact: true }).fill('me');
    await dialog.getByLabel('Password', { exact: true }).fill('secret');
    await at.checkAccess('new credential in the editor');
    await pressInDialog(page, 'Create');
    await told(page, 'Shop API was created');
    const chosen = page.getByRole('combobox', { name: /^Credential: / }).locator('option:checked');
    expect(await chosen.textContent()).toBe('Shop API');
  });

  it('finds nodes and commands in the search', async () => {
    const { page } = at;
    await saveOnPage(at);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search workflows/ }).fill('sen');
    await page.getByRole('option', { name: /Send.*Node/ }).waitFor();
    await page.getByRole('combobox', { name: /^Search workflows/ }).fill('new work');
    await page.getByRole('option', { name: /New workflow.*Create/ }).click();
    await page.getByText('When should this workflow run?').waitFor();
  });

  it('pastes a curl command and nodes of n8n, and says why anything else cannot be pasted', async () => {
    const { page } = at;
    await page.getByRole('button', { name: 'Outline' }).click();
    await page.getByRole('heading', { name: 'Nodes' }).click();
    await pasteOnPage(page, `curl -X POST https://example.com/orders -H 'content-type: application/json' -d '{"a":1}'`);
    await nodeOnPage(page, 'HTTP Request').waitFor();
    const nodes = [{ name: 'If', type: 'n8n-nodes-base.if', typeVersion: 2, position: [0, 0], parameters: {} }];
    for (const name of ['If', 'If1']) {
      await pasteOnPage(page, JSON.stringify({ nodes, connections: {} }));
      await nodeOnPage(page, name).waitFor();
    }
    await pasteOnPage(page, 'What is this?');
    await told(page, 'This cannot be pasted');
  });

  it('shows no script error, policy violation, foreign request or accessibility finding', () => {
    expect(at.faults).toEqual([]);
  });
});
