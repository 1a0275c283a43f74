import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { type ModelServer, serveModels } from '@weft/models/testing';
import type { Browser, Page } from 'playwright-core';
import { activate, attach, chatModel, modelNode, openAiCredential } from '../../support/agents';
import { launchChromium } from '../../support/browser/chromium';
import { type ConsolePage, openConsole } from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';
import { restClient, type Rest } from '../../support/rest';
import { until } from '../../support/until';

const ID = 'chat-page-story';
const STREAMED = 'streamed-chat-story';

describe('the page of a chat with an agent', () => {
  let stack: Stack;
  let rest: Rest;
  let models: ModelServer;
  let browser: Browser;
  let url: string;
  let streamed: string;

  beforeAll(async () => {
    models = await serveModels();
    stack = await borrowStack({ env: { runner: { OUTBOUND_ALLOW: '127.0.0.1' } } });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    browser = await launchChromium();
    const credential = await openAiCredential(rest, `${models.url}/v1`);
    const chat = (id: string, options: object) => ({
      name: id,
      nodes: [
        modelNode(
          'Chat',
          'chatTrigger',
          1.1,
          {
            public: true,
            initialMessages: 'Hello! What would you like to know?',
            options: {
              title: 'Help desk',
              subtitle: 'Answers at any time.',
              loadPreviousSession: 'memory',
              ...options,
            },
          },
          { webhookId: id },
        ),
        modelNode('Agent', 'agent', 3, {}),
        chatModel(credential),
        modelNode('Memory', 'memoryBufferWindow', 1.3, {}),
      ],
      connections: {
        Chat: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
        ...attach([['Model', 'ai_languageModel', 'Agent']]),
        Memory: {
          ai_memory: [
            [
              { node: 'Agent', type: 'ai_memory', index: 0 },
              { node: 'Chat', type: 'ai_memory', index: 0 },
            ],
          ],
        },
      },
    });
    await activate(rest, chat(ID, {}));
    await activate(rest, chat(STREAMED, { responseMode: 'streaming' }));
    url = `${stack.baseUrls[0] ?? ''}/webhook/${ID}/chat`;
    streamed = `${stack.baseUrls[0] ?? ''}/webhook/${STREAMED}/chat`;
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
    await models?.close();
  });

  const opened: ConsolePage[] = [];
  afterEach(async () => {
    const faults = opened.flatMap((each) => each.faults);
    await Promise.all(opened.splice(0).map(({ page }) => page.context().close()));
    expect(faults).toEqual([]);
  });
  const open = async (width = 1280, address = url): Promise<ConsolePage> => {
    const at = await openConsole(browser, stack.baseUrls[0] ?? '', { viewport: { width, height: 800 } });
    opened.push(at);
    await at.page.goto(address);
    return at;
  };

  const say = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('Message').fill(text);
    await page.keyboard.press('Enter');
  };

  it('shows what the agent answers, as text with simple Markdown', async () => {
    const text = 'It is **sunny**:\n\n- 21 °C\n- <img src=x onerror=alert(1)>\n\n```\nlet x = 1;\n```';
    models.play({ answer: { text } });
    for (const width of [1280, 390]) {
      const { page, checkAccess } = await open(width);
      await page.getByText('Hello! What would you like to know?').waitFor();
      await say(page, 'How is the weather?');
      await page.getByText('sunny').waitFor();
      expect(await page.locator('.message.assistant strong').textContent()).toBe('sunny');
      expect(await page.locator('.message.assistant li').allTextContents()).toEqual([
        '21 °C',
        '<img src=x onerror=alert(1)>',
      ]);
      expect(await page.locator('.message img').count()).toBe(0);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await picture(page, stack, `chat-${width}-${colorScheme}`);
      }
      await checkAccess('chat');
    }
  });

  it('shows an answer while it is written, and then with its Markdown', async () => {
    models.play({ answer: { text: 'The **first** part, and the last.' }, delivery: { chunkBytes: 200, pauseMs: 400 } });
    const { page } = await open(1280, streamed);
    await say(page, 'Tell me slowly.');
    const answer = page.locator('.message.assistant').last();
    await until('a part is shown', async () => {
      const text = (await answer.textContent()) ?? '';
      return text.includes('**') && !text.includes('last');
    });
    await answer.locator('strong').waitFor();
    expect(await answer.textContent()).toMatch(/The first part, and the last\.$/);
    await page.reload();
    await page.getByText('and the last.').waitFor();
  });

  it('remembers the session when it is opened again, and forgets it on demand', async () => {
    models.play({ answer: { text: 'Nice to meet you, Ann.' } }, { answer: { text: 'You are Ann.' } });
    const { page } = await open();
    await say(page, 'I am Ann.');
    await page.getByText('Nice to meet you, Ann.').waitFor();
    await page.reload();
    await page.getByText('Nice to meet you, Ann.').waitFor();
    await say(page, 'Who am I?');
    await page.getByText('You are Ann.').waitFor();
    expect(JSON.stringify(models.last().body)).toContain('I am Ann.');
    await page.getByRole('button', { name: 'New conversation' }).click();
    expect(await page.getByText('I am Ann.').count()).toBe(0);
    models.play({ answer: { text: 'I do not know.' } });
    await say(page, 'And now?');
    await page.getByText('I do not know.').waitFor();
    expect(JSON.stringify(models.last().body)).not.toContain('I am Ann.');
  });

  it('says that it failed, and keeps the message', async () => {
    models.play({ error: { status: 401, message: 'Incorrect API key provided' } });
    const at = await open();
    await say(at.page, 'Can you hear me?');
    await at.page.locator('.message.error').waitFor();
    expect(await at.page.getByLabel('Message').inputValue()).toBe('Can you hear me?');
    expect(await at.page.content()).not.toContain('sk-test');
    // The browser notes the status of the response.
    expect(at.faults.splice(0)).toEqual([expect.stringContaining('500')]);
  });
});
