import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { callWebhook, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { startTelegram, type Telegram } from '../../support/stand-ins/telegram';
import { until } from '../../support/until';
import { chain, node } from '../../support/workflows';

interface Button {
  readonly text: string;
  readonly url: string;
}

describe('a message that waits for a response', () => {
  let stack: Stack;
  let rest: Rest;
  let base = '';
  let telegram: Telegram;
  let credentials: object;

  beforeAll(async () => {
    telegram = await startTelegram();
    telegram.hostility = ({ method }, response) => {
      if (method !== 'sendMessage') return false;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
      return true;
    };
    stack = await borrowStack({ env: { runner: telegram.runner, executions: { SWEEP_MS: '300' } } });
    base = stack.baseUrls[0] ?? '';
    rest = restClient(base, stack.apiKey);
    const bot = { name: 'bot', type: 'telegramApi', data: { accessToken: '1:token' } };
    credentials = { telegramApi: { id: textOf(await rest('POST', '/credentials', bot), 'id'), name: 'bot' } };
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await telegram?.stop();
  });

  /** Starts a run that asks. @returns its buttons, once it waits for their clicks */
  const ask = async (path: string, parameters: object) => {
    const nodes = [
      node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path }),
      node(
        'Ask',
        'telegram',
        1.2,
        200,
        { operation: 'sendAndWait', chatId: '7', message: path, ...parameters },
        { credentials },
      ),
      node('Then', 'noOp', 1, 400),
    ];
    const id = textOf(await rest('POST', '/workflows', { ...chain(path, nodes), active: true }), 'id');
    await callWebhook(base, path, { order: 1 });
    const run = await until('the run waits', async () => {
      const [found] = listOf(await rest('GET', `/executions?workflowId=${id}`));
      return found?.['status'] === 'waiting' ? found : undefined;
    });
    const [sent] = telegram.requests.filter(({ body }) => body['text'] === path);
    const keyboard: { inline_keyboard: Button[][] } = Object(sent?.body['reply_markup']);
    const urls = Object.fromEntries(keyboard.inline_keyboard.flat().map(({ text, url }) => [text, url]));
    return { id: String(run['id']), urls };
  };
  const endOf = async (id: string): Promise<string> => {
    const ended = await until('the run has ended', async () => {
      const run = await rest('GET', `/executions/${id}`);
      return /"status":"success"/.test(run.text) ? run : undefined;
    });
    return ended.text;
  };
  /** Submits the page of a link, as a browser does. */
  const submit = async (url: string, values: Readonly<Record<string, string>>) => {
    const page = await (await fetch(url)).text();
    const [, action = ''] = /<form [^>]*action="([^"]+)"/.exec(page) ?? [];
    const body = new URLSearchParams(values);
    return fetch(new URL(action.replaceAll('&#38;', '&'), url), { method: 'POST', body, redirect: 'manual' });
  };
  const double = {
    approvalOptions: { values: { approvalType: 'double', approveLabel: 'Yes', disapproveLabel: 'No' } },
  };

  it.each([
    ['Yes', 'true', true],
    ['No', 'false', false],
  ])('gets the click on %s, once, and nothing from programs that follow its links', async (label, value, approved) => {
    const { id, urls } = await ask(`click-${value}`, double);
    const url = urls[label] ?? '';
    for (const link of Object.values(urls)) expect((await fetch(link)).status).toBe(200);
    expect((await submit(url, { 'field-0': value })).status).toBe(200);
    expect(await endOf(id)).toMatch(new RegExp(`"data":{"approved":${approved},"respondedAt":"20`));
    for (const link of Object.values(urls)) expect((await fetch(link)).status).toBe(409);
    expect((await fetch(url, { method: 'POST', body: new URLSearchParams({ 'field-0': value }) })).status).toBe(409);
  });

  it('gets a text, and a form', async () => {
    const text = await ask('text', { responseType: 'freeText' });
    expect((await submit(text.urls['Respond'] ?? '', { 'field-0': '' })).status).toBe(400);
    expect((await submit(text.urls['Respond'] ?? '', { 'field-0': 'Ship it' })).status).toBe(200);
    expect(await endOf(text.id)).toContain('"data":{"text":"Ship it","respondedAt"');
    const formFields = { values: [{ fieldLabel: 'Size', fieldType: 'number' }] };
    const form = await ask('form', { responseType: 'customForm', formFields });
    expect((await submit(form.urls['Respond'] ?? '', { 'field-0': '4' })).status).toBe(200);
    expect(await endOf(form.id)).toContain('"data":{"Size":4,"respondedAt"');
  });

  it('passes its items on after the time limit, and its links say that they have expired', async () => {
    const limitWaitTime = { values: { resumeAmount: 0.05, resumeUnit: 'minutes' } };
    const { id, urls } = await ask('limit', { options: { limitWaitTime } });
    expect(await endOf(id)).not.toContain('"approved"');
    const late = await fetch(urls['Approve'] ?? '');
    expect([late.status, await late.text()]).toEqual([410, expect.stringContaining('has expired')]);
  });

  it('ends with its run, and its links say so', async () => {
    const { id, urls } = await ask('stopped', double);
    expect((await rest('POST', `/executions/${id}/cancel`)).status).toBeLessThan(300);
    const late = await fetch(urls['Yes'] ?? '');
    expect([late.status, await late.text()]).toEqual([410, expect.stringContaining('was stopped')]);
  });

  it('is not answered by a forged link, or by the link of another run', async () => {
    const [one, other] = [await ask('one', double), await ask('other', double)];
    const url = new URL(one.urls['Yes'] ?? '');
    const [, root = '', token = '', suffix = ''] = url.pathname.split('/');
    const post = (path: string) =>
      fetch(new URL(path, base), { method: 'POST', body: new URLSearchParams({ 'field-0': 'true' }) });
    const forged = `${token.slice(0, -4)}AAAA`;
    expect((await post(`/${root}/${forged}/${suffix}?approved=true`)).status).toBe(404);
    expect((await post(`/${root}/${token}/T3RoZXI-0?approved=true`)).status).toBe(409);
    expect((await post(`/${root}/${token}?approved=true`)).status).toBe(409);
    expect((await fetch(new URL(`/webhook-waiting/${token}/${suffix}?approved=true`, base))).status).toBe(404);
    // The nodes of both runs have the same name: a link responds to the run of its token only.
    expect((await submit(url.href, { 'field-0': 'true' })).status).toBe(200);
    await endOf(one.id);
    expect((await rest('GET', `/executions/${other.id}`)).text).toContain('"status":"waiting"');
  });
});
