import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser, Page } from 'playwright-core';
import { activate, modelNode } from '../../support/agents';
import { launchChromium } from '../../support/browser/chromium';
import { type ConsolePage, openConsole, openSignedIn } from '../../support/browser/console-page';
import { picture, pictures } from '../../support/browser/picture';
import { listOf, restClient, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { chain, node, type NodeFile } from '../../support/workflows';

const ORDERS = 'chat-orders-story';
const LIMITED = 'chat-limited-story';

/** A message node of a chat. */
const message = (name: string, parameters: object): NodeFile =>
  modelNode(name, 'chat', 1.3, { options: {}, ...parameters });

describe('a chat whose run waits for replies', () => {
  let stack: Stack;
  let rest: Rest;
  let browser: Browser;
  /** Id of the workflow. */
  let orders = '';

  beforeAll(async () => {
    stack = await borrowStack({ env: { executions: { SWEEP_MS: '300' } } });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    browser = await launchChromium();
    const trigger = (id: string) =>
      modelNode(
        'Chat',
        'chatTrigger',
        1.3,
        { public: true, initialMessages: 'Welcome!', options: { title: 'Orders', responseMode: 'responseNodes' } },
        { webhookId: id },
      );
    const buttons = { values: { approvalType: 'double', approveLabel: 'Order it', disapproveLabel: 'Cancel' } };
    orders = await activate(
      rest,
      chain(ORDERS, [
        trigger(ORDERS),
        message('Ask', { operation: 'sendAndWait', message: 'What would you like to **order**?' }),
        message('Look', { message: '=I look for {{ $json.chatInput }}.' }),
        node('Pause', 'wait', 1.1, 0, { amount: 2, unit: 'seconds' }),
        message('Confirm', {
          operation: 'sendAndWait',
          message: 'One is in stock. Shall I order it?',
          responseType: 'approval',
          blockUserInput: true,
          approvalOptions: buttons,
        }),
        message('Done', { message: '={{ $json.data.approved ? "Ordered." : "Cancelled." }}' }),
      ]),
    );
    const limit = { limitWaitTime: { values: { resumeAmount: 0.05, resumeUnit: 'minutes' } } };
    await activate(
      rest,
      chain(LIMITED, [
        trigger(LIMITED),
        message('Ask', { operation: 'sendAndWait', message: 'Are you there?', options: limit }),
        message('Continue', { message: 'Then I continue.' }),
      ]),
    );
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });

  const opened: ConsolePage[] = [];
  afterEach(async () => {
    const faults = opened.flatMap((each) => each.faults);
    await Promise.all(opened.splice(0).map(({ page }) => page.context().close()));
    expect(faults).toEqual([]);
  });
  const open = async (id: string, width = 1280): Promise<ConsolePage> => {
    const at = await openConsole(browser, stack.baseUrls[0] ?? '', { viewport: { width, height: 800 } });
    opened.push(at);
    await at.page.goto(addressOf(id));
    return at;
  };
  const addressOf = (id: string): string => `${stack.baseUrls[0] ?? ''}/webhook/${id}/chat`;
  const say = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('Message').fill(text);
    await page.keyboard.press('Enter');
  };
  const saidIn = (page: Page): Promise<string[]> => page.locator('.message > :not(.who)').allTextContents();
  /** The reply that the last line of a response wants. */
  const replyIn = (lines: string): { readonly path: string } => {
    const { reply = { path: '' } }: { readonly reply?: { readonly path: string } } = JSON.parse(
      lines.trim().split('\n').at(-1) ?? '{}',
    );
    return reply;
  };
  const replyTo = (path: string, chatInput: string): Promise<Response> =>
    fetch(`${stack.baseUrls[0] ?? ''}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chatInput }),
    });
  const waiting = async (): Promise<number> => listOf(await rest('GET', '/executions?status=waiting')).length;

  it('asks, keeps the conversation through a reload and a kill of runners, and continues with the reply', async () => {
    for (const width of [1280, 390]) {
      const { page, checkAccess } = await open(ORDERS, width);
      await say(page, 'Hello');
      await page.getByText('What would you like to order?').waitFor();
      await until('the run waits', async () => (await waiting()) === 1);
      for (const runner of stack.of('runner')) {
        runner.kill('SIGKILL');
        await runner.ended;
        await runner.restart();
      }
      await page.reload();
      await page.getByText('What would you like to order?').waitFor();
      expect(await saidIn(page)).toEqual(['Welcome!', 'Hello', 'What would you like to order?']);
      await picture(page, stack, `chat-question-${width}`);
      await say(page, '<b>tea</b> {{ 1 + 1 }}');
      // Shown before the run waits again.
      await page.getByText('I look for <b>tea</b> {{ 1 + 1 }}.').waitFor();
      expect(await page.getByText('One is in stock.').count()).toBe(0);
      await page.getByRole('button', { name: 'Order it' }).waitFor();
      expect(await page.getByLabel('Message').isDisabled()).toBe(true);
      await picture(page, stack, `chat-buttons-${width}`);
      await checkAccess('buttons of a chat');
      await page.getByRole('button', { name: width === 390 ? 'Cancel' : 'Order it' }).click();
      await page.getByText(width === 390 ? 'Cancelled.' : 'Ordered.').waitFor();
      expect(await page.getByRole('button', { name: 'Order it' }).count()).toBe(0);
      const all = await saidIn(page);
      expect(all).toEqual([
        ...['Welcome!', 'Hello', 'What would you like to order?', '<b>tea</b> {{ 1 + 1 }}'],
        'I look for <b>tea</b> {{ 1 + 1 }}.',
        'One is in stock. Shall I order it?',
        ...(width === 390 ? ['Cancel', 'Cancelled.'] : ['Order it', 'Ordered.']),
      ]);
      await page.reload();
      await page.getByText(width === 390 ? 'Cancelled.' : 'Ordered.').waitFor();
      expect(await saidIn(page)).toEqual(all);
      await picture(page, stack, `chat-ended-${width}`);
    }
  });

  it('takes the first of two replies, and tells the other window so', async () => {
    const { page } = await open(ORDERS);
    await say(page, 'Hello');
    await page.getByText('What would you like to order?').waitFor();
    const other = await page.context().newPage();
    await other.goto(addressOf(ORDERS));
    await other.getByText('What would you like to order?').waitFor();
    await say(page, 'tea');
    await page.getByText('I look for tea.').waitFor();
    await say(other, 'coffee');
    await other.getByText('it was answered already').waitFor();
    expect(await other.getByLabel('Message').inputValue()).toBe('coffee');
    await other.getByText('I look for tea.').waitFor();
    await picture(other, stack, 'chat-late');
    await other.getByRole('button', { name: 'Cancel' }).click();
    await other.getByText('Cancelled.').waitFor();
    await page.getByRole('button', { name: 'Order it' }).click();
    await page.getByText('it was answered already').waitFor();
    await page.getByText('Cancelled.').waitFor();
  });

  it('continues after the time limit, and says so to a late reply', async () => {
    const replied = fetch(addressOf(LIMITED), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'sendMessage', sessionId: 's', chatInput: 'Hi' }),
    });
    const { page } = await open(LIMITED);
    await say(page, 'Hello');
    await page.getByText('Are you there?').waitFor();
    await page.getByText('Then I continue.').waitFor({ timeout: 20_000 });
    const late = await replyTo(replyIn(await (await replied).text()).path, 'Yes');
    expect(late.status).toBe(409);
    expect(await late.text()).toContain('its time is over');
  });

  it('refuses a reply of 10 MB, and waits for another one', async () => {
    const { page, evaluate } = await open(ORDERS);
    await say(page, 'Hello');
    await page.getByText('What would you like to order?').waitFor();
    const run = await evaluate("localStorage.getItem('weft-chat-run:' + location.pathname)");
    const { path } = replyIn(await (await fetch(`${stack.baseUrls[0] ?? ''}${String(run)}`)).text());
    expect((await replyTo(path, 'x'.repeat(10_500_000))).status).toBe(413);
    await say(page, 'tea');
    await page.getByText('I look for tea.').waitFor();
    await page.getByRole('button', { name: 'New conversation' }).click();
    expect(await saidIn(page)).toEqual(['Welcome!']);
  });

  it('asks in the chat of the editor, which replies to the run of the draft', async () => {
    const at = await openSignedIn(browser, stack);
    opened.push(at);
    const { page } = at;
    await page.goto(`${stack.baseUrls[0] ?? ''}/console/workflows/${orders}`);
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    const chat = page.getByRole('region', { name: 'Chat', exact: true });
    const write = async (text: string): Promise<void> => {
      await chat.getByRole('textbox', { name: 'Message' }).fill(text);
      await page.keyboard.press('Enter');
    };
    await write('Hello');
    await chat
      .getByRole('paragraph')
      .filter({ hasText: /^What would you like/ })
      .waitFor();
    await pictures(page, stack, 'editor-chat-question');
    await write('<b>tea</b>');
    await chat.getByRole('button', { name: 'Order it' }).waitFor();
    expect(await chat.getByRole('textbox', { name: 'Message' }).isDisabled()).toBe(true);
    expect(await chat.locator('.chat-said p').allTextContents()).toEqual([
      ...['Hello', 'What would you like to **order**?', '<b>tea</b>', 'I look for <b>tea</b>.'],
      'One is in stock. Shall I order it?',
    ]);
    await pictures(page, stack, 'editor-chat-buttons');
    await at.checkAccess('a question in the chat of the editor');
    await chat.getByRole('button', { name: 'Order it' }).click();
    await chat
      .getByRole('paragraph')
      .filter({ hasText: /^Ordered\.$/ })
      .waitFor();
  });
});
