import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { type ModelServer, serveModels } from '@weft/models/testing';
import type { Browser } from 'playwright-core';
import { attach, chatModel, modelNode, openAiCredential } from '../../support/agents';
import { launchChromium } from '../../support/browser/chromium';
import { type ConsolePage, openSignedIn } from '../../support/browser/console-page';
import { nodeOnPage } from '../../support/browser/editor-page';
import { type Keyboard, keyboardOf } from '../../support/browser/keyboard';
import { pictures } from '../../support/browser/picture';
import { dataOf, listOf, restClient, type Rest, textOf } from '../../support/rest';

describe('the chat of the editor', () => {
  let stack: Stack;
  let browser: Browser;
  let models: ModelServer;
  let rest: Rest;
  let at: ConsolePage;
  let keys: Keyboard;
  let id = '';

  const chat = () => at.page.getByRole('region', { name: 'Chat', exact: true });
  const field = () => chat().getByRole('textbox', { name: 'Message' });
  const say = async (text: string): Promise<void> => {
    await keys.onFocus(field());
    await keys.type(text);
    await keys.press('Enter');
  };
  const keepPictures = (name: string): Promise<void> => pictures(at.page, stack, name);
  const latest = async () => {
    const [newest] = listOf(await rest('GET', `/executions?workflowId=${id}&limit=1`));
    return dataOf(await rest('GET', `/executions/${String(newest?.['id'])}`));
  };

  beforeAll(async () => {
    models = await serveModels();
    stack = await borrowStack({ env: { runner: { OUTBOUND_ALLOW: '127.0.0.1' } } });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const credential = await openAiCredential(rest, `${models.url}/v1`);
    const trigger = modelNode(
      'Chat',
      'chatTrigger',
      1.1,
      { options: { allowFileUploads: true } },
      { webhookId: 'desk' },
    );
    const created = await rest('POST', '/workflows', {
      name: 'Help desk',
      nodes: [
        { ...trigger, position: [0, 0] },
        modelNode('Agent', 'agent', 2.2, { options: {} }, { position: [220, 0] }),
        { ...chatModel(credential), position: [120, 240] },
        modelNode('Calculator', 'toolCalculator', 1, {}, { position: [340, 240] }),
      ],
      connections: {
        Chat: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
        ...attach([
          ['Model', 'ai_languageModel', 'Agent'],
          ['Calculator', 'ai_tool', 'Agent'],
        ]),
      },
      settings: { executionOrder: 'v1' },
    });
    id = textOf(created, 'id');
    browser = await launchChromium();
    at = await openSignedIn(browser, stack);
    keys = keyboardOf(at);
    await at.page.goto(`${stack.baseUrls[0] ?? ''}/console/workflows/${id}`);
    await nodeOnPage(at.page, 'Agent').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
    await models?.close();
  });
  afterEach(() => expect(at.faults.splice(0)).toEqual([]));

  it('opens by keyboard, and gives the focus back when it closes', async () => {
    const { page } = at;
    await nodeOnPage(page, 'Chat').focus();
    await keys.press('4');
    await keys.onFocus(page.getByRole('button', { name: 'Chat', exact: true }));
    await keys.press('Enter');
    await keys.onFocus(field());
    await keys.press('Escape');
    await keys.onFocus(page.getByRole('button', { name: 'Chat', exact: true }));
    // A run that would begin with an empty message asks for one.
    await keys.press('Control+Enter');
    await keys.onFocus(field());
    await at.checkAccess('an empty chat');
    await keepPictures('chat-empty');
  });

  it('runs the draft with a message, and shows the answer with its execution', async () => {
    const { page } = at;
    const call = { id: 'call_1', name: 'Calculator', input: { input: '6 * 7' } };
    models.play({ answer: { toolCalls: [call] } }, { answer: { text: 'It is 42.\nAnything else?' } });
    await say('What is 6 times 7?');
    await chat().getByText('It is 42.').first().waitFor({ timeout: 30_000 });
    await chat().getByRole('status').filter({ hasText: 'Answer: It is 42.' }).waitFor();
    await nodeOnPage(page, 'Agent').getByText('succeeded').waitFor();
    await at.checkAccess('an answer');
    await keepPictures('chat-answer');
    const { id: execution, mode } = await latest();
    expect(mode).toBe('manual');
    const href = await chat().getByRole('link', { name: 'Execution' }).getAttribute('href');
    expect(href).toContain(String(execution));
  });

  it('keeps the conversation while its execution is looked at', async () => {
    const { page } = at;
    await chat().getByRole('link', { name: 'Execution' }).click();
    await page.getByText(/^\d+ in, \d+ out$/).waitFor();
    await page
      .getByRole('button', { name: /^Agent/ })
      .first()
      .click();
    const calls = page.getByRole('region', { name: 'Sub-node runs' });
    await calls.getByText('3 calls').waitFor();
    await calls
      .getByText(/tokens in/)
      .first()
      .waitFor();
    await at.checkAccess('an execution with tokens');
    await keepPictures('chat-execution');
    await page.goBack();
    await chat().getByText('What is 6 times 7?').waitFor();
  });

  it('sends files that the trigger takes, and the session with each message', async () => {
    const { page } = at;
    const choosing = page.waitForEvent('filechooser');
    await chat().getByRole('button', { name: 'Attach files' }).click();
    await (
      await choosing
    ).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Remember milk') });
    await chat().getByRole('button', { name: 'Remove notes.txt' }).waitFor();
    models.play({ answer: { text: 'Noted.' } });
    await say('Keep this');
    await chat().getByText('Noted.', { exact: true }).waitFor({ timeout: 30_000 });
    const { data } = await latest();
    const text = JSON.stringify(data);
    expect(text).toContain('"chatInput":"Keep this"');
    expect(text).toContain('"fileName":"notes.txt"');
    const before = /"sessionId":"([\w-]+)"/.exec(text)?.[1];
    await chat().getByRole('button', { name: 'New session' }).click();
    await chat().getByText('A message runs the workflow').waitFor();
    models.play({ answer: { text: 'Hello.' } });
    await say('Hi');
    await chat().getByText('Hello.', { exact: true }).waitFor({ timeout: 30_000 });
    const after = /"sessionId":"([\w-]+)"/.exec(JSON.stringify((await latest())['data']))?.[1];
    expect(after).toMatch(/^[\w-]{36}$/);
    expect(after).not.toBe(before);
  });

  it('says why a run failed, and shows hostile answers as text', async () => {
    models.play({ answer: { text: '<img src=x onerror=alert(1)> **bold**' } });
    await say('Attack');
    await chat().getByText('<img src=x onerror=alert(1)> **bold**', { exact: true }).waitFor({ timeout: 30_000 });
    expect(await chat().locator('img').count()).toBe(0);
    models.play({ error: { status: 401, message: 'No such key' } });
    await say('Fail');
    await chat().getByText('No such key').first().waitFor({ timeout: 30_000 });
    await chat().getByText('Failed').waitFor();
    await at.checkAccess('a failed message');
  });
});
