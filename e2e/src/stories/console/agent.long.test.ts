import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { type ModelServer, serveModels } from '@weft/models/testing';
import type { Browser } from 'playwright-core';
import { openAiCredential } from '../../support/agents';
import { launchChromium } from '../../support/browser/chromium';
import { type ConsolePage, openSignedIn } from '../../support/browser/console-page';
import { nodeOnPage, saveOnPage } from '../../support/browser/editor-page';
import { type Keyboard, keyboardOf } from '../../support/browser/keyboard';
import { pictures } from '../../support/browser/picture';
import { dataOf, listOf, restClient, type Rest } from '../../support/rest';

const attached = (node: string, type: string) => ({ [type]: [[{ node, type, index: 0 }]] });

describe('an agent in the console', () => {
  let stack: Stack;
  let browser: Browser;
  let models: ModelServer;
  let rest: Rest;
  let at: ConsolePage;
  let keys: Keyboard;
  let id = '';

  beforeAll(async () => {
    models = await serveModels();
    stack = await borrowStack({ env: { runner: { OUTBOUND_ALLOW: '127.0.0.1' } } });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    await openAiCredential(rest, `${models.url}/v1`);
    browser = await launchChromium();
    at = await openSignedIn(browser, stack);
    keys = keyboardOf(at);
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
    await models?.close();
  });
  afterEach(() => expect(at.faults.splice(0)).toEqual([]));

  const palette = () => at.page.getByRole('combobox', { name: 'Search nodes' });
  const pick = async (query: string, name: string): Promise<void> => {
    await keys.onFocus(palette());
    await keys.type(query);
    await keys.press('Enter');
    await keys.onFocus(nodeOnPage(at.page, name));
  };
  /** Chooses an entry in the menu of a node that has the focus. */
  const act = async (name: string, entry: string): Promise<void> => {
    await keys.onFocus(nodeOnPage(at.page, name));
    await keys.press('Shift+F10');
    const wanted = at.page.getByRole('menuitem', { name: entry, exact: true });
    await wanted.waitFor();
    for (let steps = 0; steps < 20 && (await wanted.and(at.page.locator(':focus')).count()) === 0; steps += 1)
      await keys.press('ArrowDown');
    await keys.press('Enter');
  };
  const keepPictures = (name: string): Promise<void> => pictures(at.page, stack, name);

  it('is built by keyboard, with only kinds that fit', async () => {
    const { page } = at;
    await at.open('/workflows', 'Workflows');
    await page.getByRole('button', { name: 'New workflow' }).click();
    const start = page.getByRole('button', { name: 'When I start it' });
    await keys.tabTo(start);
    await keys.press('Enter');
    await keys.onFocus(nodeOnPage(page, 'Manual trigger'));
    await keys.press('a');
    await pick('ai agent', 'AI agent');
    await keys.press('2');
    await keys.tabTo(page.getByRole('combobox', { name: 'Source of the prompt' }));
    await keys.type('Def');
    await keys.tabTo(page.getByRole('textbox', { name: /^Prompt/ }));
    await keys.type('What is 6 times 7?');
    await keys.press('Escape');
    await act('AI agent', 'Add chat model …');
    await keys.onFocus(palette());
    const offered = page.getByRole('listbox', { name: 'Kinds of nodes' });
    expect(await offered.getByText('OpenAI Chat Model', { exact: true }).count()).toBe(1);
    expect(await offered.getByText('Calculator', { exact: true }).count()).toBe(0);
    expect(await offered.getByText('Webhook', { exact: true }).count()).toBe(0);
    await pick('openai', 'OpenAI Chat Model');
    await page.getByLabel(/^Credential/).selectOption({ label: 'Models' });
    await nodeOnPage(page, 'AI agent').focus();
    await act('AI agent', 'Add tool …');
    await keys.onFocus(palette());
    await keys.type('slack');
    await offered.getByText('Slack tool').waitFor();
    await keys.press('Control+a');
    await pick('calculator', 'Calculator');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await at.checkAccess('an agent on the canvas');
    await keepPictures('agent-canvas');
    await saveOnPage(at);
    id = /workflows\/([\w-]+)/.exec(page.url())?.[1] ?? '';
    const { connections } = dataOf(await rest('GET', `/workflows/${id}`));
    expect(connections).toEqual({
      'Manual trigger': { main: [[{ node: 'AI agent', type: 'main', index: 0 }]] },
      'OpenAI Chat Model': attached('AI agent', 'ai_languageModel'),
      Calculator: attached('AI agent', 'ai_tool'),
    });
  });

  it('has its sub-nodes in the outline, and connections of their type in the dialog', async () => {
    const { page } = at;
    await page.getByRole('button', { name: 'Outline', exact: true }).click();
    const inner = page.getByRole('list', { name: 'Sub-nodes of AI agent' });
    expect(await inner.getByText('chat model of AI agent').count()).toBe(1);
    expect(await page.getByText('no trigger leads here').count()).toBe(0);
    await at.checkAccess('an agent in the outline');
    await keepPictures('agent-outline');
    await page.getByRole('button', { name: 'Actions of Calculator' }).click();
    await page.getByRole('menuitem', { name: 'Connect …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connections of Calculator' });
    await dialog.getByRole('button', { name: 'Remove the connection tool of AI agent' }).click();
    await dialog.getByText('It is not connected yet.').waitFor();
    expect(await dialog.getByLabel('Connect to').locator('option').allTextContents()).toEqual(['AI agent']);
    await at.checkAccess('connections of a tool');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.getByText('tool of AI agent', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Graph', exact: true }).click();
  });

  it('shows the calls of its sub-nodes with what they were given and returned', async () => {
    const { page } = at;
    const call = { id: 'call_1', name: 'Calculator', input: { input: '6 * 7' } };
    models.play({ answer: { toolCalls: [call] } }, { answer: { text: 'It is 42.' } });
    await page.keyboard.press('Control+Enter');
    await nodeOnPage(page, 'AI agent').getByText('succeeded').waitFor({ timeout: 20_000 });
    const runs = await rest('GET', `/executions?workflowId=${id}&limit=1`);
    const execution = String(listOf(runs)[0]?.['id']);
    await page.goto(`${stack.baseUrls[0] ?? ''}/console/executions/${execution}?node=AI%20agent`);
    const calls = page.getByRole('region', { name: 'Sub-node runs' });
    await calls.getByText('3 calls').waitFor();
    await at.checkAccess('calls of an agent');
    await keepPictures('agent-run');
    await calls.getByRole('button', { name: 'Calculator' }).click();
    await page.getByText('42', { exact: false }).first().waitFor();
    await page.getByRole('tab', { name: /^Input/ }).click();
    await page.getByRole('region', { name: 'Input of the call' }).getByText('6 * 7').waitFor();
    await at.checkAccess('input of a tool');
    await keepPictures('agent-tool-input');
  });

  it('shows in the editor what a sub-node was given by the node that called it', async () => {
    const { page } = at;
    await page.goto(`${stack.baseUrls[0] ?? ''}/console/workflows/${id}?node=Calculator`);
    const input = page.getByRole('region', { name: 'Input', exact: true });
    await input.getByText('6 * 7').waitFor();
    await at.checkAccess('input of a tool in the editor');
    await keepPictures('agent-editor-tool');
    await input.getByRole('button', { name: 'by AI agent' }).click();
    await page.getByRole('complementary', { name: 'AI agent' }).waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
  });

  it('says that a model is missing, and has a button that adds one', async () => {
    const { page } = at;
    await nodeOnPage(page, 'OpenAI Chat Model').focus();
    await page.keyboard.press('Delete');
    await nodeOnPage(page, 'AI agent').getByText('has no chat model').waitFor();
    await page.getByRole('button', { name: '1 warning' }).waitFor();
    await at.checkAccess('a missing model');
    await page.getByRole('button', { name: 'Add a chat model to AI agent' }).click();
    await page.getByRole('dialog', { name: 'Add a chat model to AI agent' }).waitFor();
    await pick('openai', 'OpenAI Chat Model');
    await page.getByRole('button', { name: '1 warning' }).waitFor({ state: 'detached' });
  });

  it('has an agent as a tool, with ports for its model and tools', async () => {
    const { page } = at;
    await page.getByRole('button', { name: 'Add a tool to AI agent' }).click();
    await pick('ai agent tool', 'AI agent tool');
    await page.getByRole('button', { name: 'Add a chat model to AI agent tool' }).waitFor();
    await page.getByRole('button', { name: 'Add a tool to AI agent tool' }).waitFor();
    await nodeOnPage(page, 'AI agent tool').getByText('has no chat model').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
  });

  it('keeps the focus in a narrow window, in which the form takes the place of the nodes', async () => {
    const { page } = at;
    await page.setViewportSize({ width: 390, height: 800 });
    await nodeOnPage(page, 'AI agent tool').waitFor();
    await page.getByRole('button', { name: 'Actions of AI agent tool' }).click();
    await page.getByRole('menuitem', { name: 'Add chat model …' }).click();
    await keys.onFocus(palette());
    await keys.type('ollama chat');
    await keys.press('Enter');
    await keys.onFocus(page.getByRole('complementary', { name: 'Ollama Chat Model' }));
    await keys.tabTo(page.getByRole('button', { name: 'Close', exact: true }));
    await keys.press('Enter');
    await keys.onFocus(nodeOnPage(page, 'Ollama Chat Model'));
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});
