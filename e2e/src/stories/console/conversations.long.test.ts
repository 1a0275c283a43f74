import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { type ModelServer, serveModels } from '@weft/models/testing';
import type { Browser } from 'playwright-core';
import { activate, attach, chatModel, modelNode, openAiCredential } from '../../support/agents';
import { launchChromium } from '../../support/browser/chromium';
import { type ConsolePage, openSignedIn } from '../../support/browser/console-page';
import { pictures } from '../../support/browser/picture';
import { callWebhook, dataOf, listOf, restClient, type Rest } from '../../support/rest';
import { node } from '../../support/workflows';

const HOSTILE = '<img src=x onerror=alert(1)>';

describe('conversations in the console', () => {
  let stack: Stack;
  let rest: Rest;
  let models: ModelServer;
  let browser: Browser;
  let at: ConsolePage;
  let id = '';

  const say = async (session: string, text: string, answer: string): Promise<void> => {
    models.play({ answer: { text: answer } });
    const { status } = await callWebhook(stack.baseUrls[0] ?? '', 'desk', { sessionId: session, text });
    expect(status).toBe(200);
  };
  const stored = async () => listOf(await rest('GET', `/workflows/${id}/conversations`));
  const open = () => at.open(`/workflows/${id}?tab=conversations`, 'Desk');
  const row = (session: string) => at.page.getByRole('row').filter({ hasText: session });

  beforeAll(async () => {
    models = await serveModels();
    stack = await borrowStack({ env: { runner: { OUTBOUND_ALLOW: '127.0.0.1' } } });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const credential = await openAiCredential(rest, `${models.url}/v1`);
    id = await activate(rest, {
      name: 'Desk',
      nodes: [
        node('Webhook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'desk', responseMode: 'lastNode' }),
        modelNode('Agent', 'agent', 3, { promptType: 'define', text: '={{ $json.body.text }}' }),
        chatModel(credential),
        modelNode('Memory', 'memoryBufferWindow', 1.3, {
          sessionIdType: 'customKey',
          sessionKey: '={{ $json.body.sessionId }}',
        }),
      ],
      connections: {
        Webhook: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
        ...attach([
          ['Model', 'ai_languageModel', 'Agent'],
          ['Memory', 'ai_memory', 'Agent'],
        ]),
      },
    });
    browser = await launchChromium();
    at = await openSignedIn(browser, stack);
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
    await models?.close();
  });
  afterEach(() => expect(at.faults.splice(0)).toEqual([]));

  it('have a tab in workflows with a memory, which is empty at first', async () => {
    await at.open(`/workflows/${id}`, 'Desk');
    await at.page.getByRole('navigation', { name: 'Views of the workflow' }).getByText('Conversations').click();
    await at.page.getByText('No conversations yet').waitFor();
  });

  it('show the messages of a session, and hostile ones as text', async () => {
    await say('anna', 'Where is my order?', 'On its way.');
    await say('anna', 'Thanks', HOSTILE);
    await say('ben', 'Hello', 'Hi Ben.');
    await open();
    await row('anna').getByText('4', { exact: true }).waitFor();
    await at.checkAccess('conversations');
    await pictures(at.page, stack, 'conversations');
    await row('anna').getByRole('button', { name: 'anna', exact: true }).click();
    const messages = at.page.getByRole('region', { name: 'Messages' });
    await messages.getByText('On its way.').waitFor();
    await messages.getByText(HOSTILE, { exact: true }).waitFor();
    expect(await messages.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/User\s+Where is my order\?/),
      expect.stringMatching(/Model\s+On its way\./),
      expect.stringMatching(/User\s+Thanks/),
      expect.stringContaining(HOSTILE),
    ]);
    await at.checkAccess('a conversation');
    await pictures(at.page, stack, 'conversation');
  });

  it('can be deleted one by one, and all at once', async () => {
    await open();
    await at.page.getByRole('button', { name: 'Delete the conversation anna' }).click();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await row('anna').waitFor({ state: 'detached' });
    expect((await stored()).map(({ session }) => session)).toEqual(['ben']);
    await at.page.getByRole('button', { name: 'Delete all' }).click();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click();
    await at.page.getByText('No conversations yet').waitFor();
    expect(await stored()).toEqual([]);
  });

  it('have no tab in a workflow without a memory', async () => {
    const other = dataOf(
      await rest('POST', '/workflows', {
        name: 'Bare',
        nodes: [node('Start', 'manualTrigger', 1, 0, {})],
        connections: {},
      }),
    );
    await at.open(`/workflows/${String(other['id'])}`, 'Bare');
    const views = at.page.getByRole('navigation', { name: 'Views of the workflow' });
    await views.getByText('Executions').waitFor();
    expect(await views.getByText('Conversations').count()).toBe(0);
  });
});
