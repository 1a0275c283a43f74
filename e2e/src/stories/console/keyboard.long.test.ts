import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { openConsole, type ConsolePage } from '../../support/browser/console-page';
import { nodeOnPage } from '../../support/browser/editor-page';
import { keyboardOf, type Keyboard } from '../../support/browser/keyboard';
import { callWebhook, dataOf, restClient } from '../../support/rest';
import { startServices, type Services } from '../../support/stand-ins/services';

const end = (node: string) => ({ node, type: 'main', index: 0 });

describe('a user without a mouse', () => {
  let stack: Stack;
  let browser: Browser;
  let services: Services;
  let at: ConsolePage;
  let keys: Keyboard;
  let base = '';

  const id = (): string => /workflows\/([\w-]+)/.exec(at.page.url())?.[1] ?? '';
  const field = (name: string) => at.page.getByRole('textbox', { name, exact: true });
  const list = (name: string) => at.page.getByRole('combobox', { name, exact: true });
  const button = (name: string) => at.page.getByRole('button', { name, exact: true });

  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    services = await startServices();
    services.answer(/^GET \/price$/, () => ({ body: { price: 42 } }));
    browser = await launchChromium();
    at = await openConsole(browser, base);
    keys = keyboardOf(at);
  });
  afterAll(async () => {
    await browser?.close();
    await services?.stop();
    await giveStackBack(stack);
  });
  afterEach(() => expect(at.faults).toEqual([]));

  /** Adds the best match after the node that has the focus, which moves to the new node. */
  const add = async (query: string, name: string): Promise<void> => {
    await keys.press('a');
    await keys.onFocus(at.page.getByRole('combobox', { name: 'Search nodes' }));
    await keys.type(query);
    await keys.press('Enter');
    await keys.onFocus(nodeOnPage(at.page, name));
  };
  /** From the form back to the node. */
  const leaveForm = async (name: string): Promise<void> => {
    await keys.press('Escape');
    await keys.onFocus(nodeOnPage(at.page, name));
  };
  const create = async (): Promise<void> => {
    await keys.press('g', 'w');
    await keys.tabTo(button('New workflow'));
    await keys.press('Enter');
    await at.page.getByRole('heading', { name: 'New workflow', level: 1 }).waitFor();
  };
  /** A webhook whose caller waits for a respond node. */
  const setWebhook = async (path: string): Promise<void> => {
    await keys.onFocus(nodeOnPage(at.page, 'Webhook'));
    await keys.press('2');
    await keys.tabTo(list('HTTP method'));
    await keys.type('POS');
    await keys.tabTo(field('Path'));
    await keys.press('Control+a');
    await keys.type(path);
    await keys.tabTo(list('Respond'));
    await keys.type('Using');
    await leaveForm('Webhook');
  };
  const addOthers = async (): Promise<void> => {
    const { page } = at;
    await add('if', 'If');
    await keys.press('2');
    await keys.type('{{ $json.body.qty }}');
    await keys.tabTo(list('Comparison'));
    await keys.type('Number: is gr');
    await keys.tabTo(field('Second value'));
    await keys.type('10');
    await leaveForm('If');
    await add('http', 'HTTP request');
    await keys.press('2');
    await keys.tabTo(field('URL required'));
    await keys.type(`${services.url}/price`);
    await leaveForm('HTTP request');
    await add('edit fields', 'Edit fields (Set)');
    await keys.press('2');
    await keys.tabTo(page.getByRole('button', { name: 'Add field' }));
    await keys.press('Enter');
    await keys.onFocus(field('Name'));
    await keys.type('answer');
    await keys.tabTo(field('Value'));
    await keys.type('{{ $json.price }}');
    // The first Escape would close the list of suggestions.
    await keys.press('Tab');
    await leaveForm('Edit fields (Set)');
    await add('respond', 'Respond to webhook');
  };
  /** Connects the second output of the If node, which has the focus, in its dialog. */
  const connectElse = async (): Promise<void> => {
    const dialog = at.page.getByRole('dialog', { name: 'Connections of If' });
    await at.page.getByRole('menu').waitFor();
    await keys.type('Con');
    await keys.press('Enter');
    await keys.onFocus(dialog.getByLabel('From output'));
    await keys.type('false');
    await keys.tabTo(dialog.getByLabel('Connect to'));
    await keys.type('Respond');
    await keys.tabTo(dialog.getByRole('button', { name: 'Connect', exact: true }));
    await keys.press('Enter');
    await dialog.getByText('false → Respond to webhook').waitFor();
    await keys.press('Escape');
  };
  const activate = async (): Promise<void> => {
    await keys.press('Control+s');
    await at.page.getByRole('button', { name: /^Save/, disabled: true }).waitFor();
    await keys.tabTo(at.page.getByRole('switch', { name: /active$/ }), 'Shift+Tab');
    await keys.press('Space');
    await at.page.getByRole('switch', { name: /active$/, checked: true }).waitFor();
  };
  const expectAnswers = async (path: string): Promise<void> => {
    const { connections } = dataOf(await restClient(base, stack.apiKey)('GET', `/workflows/${id()}`));
    expect(connections).toEqual({
      Webhook: { main: [[end('If')]] },
      If: { main: [[end('HTTP request')], [end('Respond to webhook')]] },
      'HTTP request': { main: [[end('Edit fields (Set)')]] },
      'Edit fields (Set)': { main: [[end('Respond to webhook')]] },
    });
    const [many, few] = [await callWebhook(base, path, { qty: 12 }), await callWebhook(base, path, { qty: 1 })];
    expect([many.status, many.text]).toEqual([200, '{"answer":"42"}']);
    expect([few.status, few.text]).toEqual([200, expect.stringContaining('"qty":1')]);
  };

  it('signs in', async () => {
    await at.page.goto(`${base}/console/workflows`);
    await keys.onFocus(at.page.getByLabel('Email'));
    await keys.type(stack.ownerEmail);
    await keys.press('Tab');
    await keys.type(stack.ownerPassword);
    await keys.press('Enter');
    await at.page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
  });

  it('builds a webhook that answers in the graph, from the empty editor', async () => {
    await create();
    await keys.onFocus(button('When a webhook is called'));
    await keys.press('Enter');
    await setWebhook('keys/graph');
    await addOthers();
    await at.checkAccess('graph, built by keyboard');
    await keys.press('1');
    for (const name of ['Edit fields (Set)', 'HTTP request', 'If']) {
      await keys.press('ArrowLeft');
      await keys.onFocus(nodeOnPage(at.page, name));
    }
    await keys.press('Shift+F10');
    await connectElse();
    await keys.onFocus(nodeOnPage(at.page, 'If'));
    await activate();
    await expectAnswers('keys/graph');
  });

  it('builds the same in the outline', async () => {
    await create();
    await keys.tabTo(button('Outline'));
    await keys.press('Enter');
    await add('webhook', 'Webhook');
    await setWebhook('keys/outline');
    await addOthers();
    await at.checkAccess('outline, built by keyboard');
    for (const name of ['Edit fields (Set)', 'HTTP request', 'If']) {
      await keys.press('ArrowUp');
      await keys.onFocus(nodeOnPage(at.page, name));
    }
    await keys.press('Tab', 'Enter');
    await connectElse();
    await keys.onFocus(nodeOnPage(at.page, 'If'));
    await activate();
    await expectAnswers('keys/outline');
  });

  it('inserts a node into a connection and deletes it, and never loses the focus', async () => {
    const { page } = at;
    const insert = page.getByRole('button', { name: 'Insert a node into the connection from Webhook' });
    await keys.press('1', 'Home', 'ArrowDown');
    await keys.onFocus(nodeOnPage(page, 'If'));
    await keys.press('Tab', 'Enter');
    await page.getByRole('menu').waitFor();
    await keys.type('Con');
    await keys.press('Enter');
    await keys.tabTo(insert, 'Shift+Tab');
    await keys.press('Enter');
    await keys.onFocus(page.getByRole('combobox', { name: 'Search nodes' }));
    await keys.type('limit');
    await keys.press('Enter');
    await keys.onFocus(nodeOnPage(page, 'Limit'));
    await nodeOnPage(page, 'Limit').getByText('→ If').waitFor();
    await keys.press('Delete');
    await keys.onFocus(nodeOnPage(page, 'If'));
  });
});
