import type { JsonObject } from '@weft/node-catalogue';
import { verify } from 'jsonwebtoken';
import { jsonOf, pass, runTest } from '@weft/engine/testing';
import { KIND_TABLE } from '../descriptors/kinds';
import { NODE_REGISTRY } from '../executors';
import { chatOf } from '../langchain/chat/transcript';
import type { KindRun } from '../testing/cases/run-kind';
import { runKind } from '../testing/cases/run-kind';
import { respondToWebhook } from './executor';

const items = [{ n: 1 }, { n: 2 }];
const respond = (parameters: JsonObject, over: Partial<KindRun> = {}) =>
  runKind('respondToWebhook', { version: 1.1, from: 'webhook', items, parameters, ...over });
const behindWebhook = async (parameters: JsonObject, over: Partial<KindRun> = {}) => {
  const { answers, error } = await respond(parameters, over);
  if (error !== undefined) throw new Error(error.message);
  return answers[0];
};
const json = { 'content-type': 'application/json; charset=utf-8' };

describe('respondToWebhook', () => {
  it('responds with the first item by default', async () => {
    expect(await behindWebhook({})).toEqual({ status: 200, headers: json, body: '{"n":1}' });
  });

  it('responds with all items, under a key if one is set', async () => {
    expect(
      (await runKind('respondToWebhook', { version: 1, items, parameters: { respondWith: 'allIncomingItems' } }))
        .answers[0]?.body,
    ).toBe('[{"n":1},{"n":2}]');
    const keyed = await runKind('respondToWebhook', {
      version: 1,
      items,
      parameters: { respondWith: 'firstIncomingItem', options: { responseKey: 'order' } },
    });
    expect(keyed.answers[0]?.body).toBe('{"order":{"n":1}}');
    expect((await behindWebhook({ options: { responseKey: 'a.b' } }))?.body).toBe('{"a":{"b":{"n":1}}}');
  });

  it('responds with JSON, given as a string or by an expression', async () => {
    expect(await behindWebhook({ respondWith: 'json', responseBody: '{ "a": [1, 2] }' })).toEqual({
      status: 200,
      headers: json,
      body: '{"a":[1,2]}',
    });
    const { answers } = await runKind('respondToWebhook', {
      version: 1,
      items,
      parameters: { respondWith: 'json', responseBody: '={{ { sum: $json.n + 1 } }}' },
    });
    expect(answers[0]?.body).toBe('{"sum":2}');
  });

  it('responds with a JSON string as text, and with null as JSON', async () => {
    expect(await behindWebhook({ respondWith: 'json', responseBody: '"a b"' })).toEqual({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: 'a b',
    });
    expect(await behindWebhook({ respondWith: 'text', responseBody: '={{ null }}' })).toEqual({
      status: 200,
      headers: json,
      body: 'null',
    });
  });

  it('reports invalid JSON', async () => {
    await expect(behindWebhook({ respondWith: 'json', responseBody: '{ "a": ' })).rejects.toThrow('Invalid JSON');
    for (const responseBody of ['', '={{ $json.none }}', '={{ null }}'])
      expect(await behindWebhook({ respondWith: 'json', responseBody })).toEqual({
        status: 200,
        headers: {},
        body: '',
      });
  });

  it('responds with text, a redirect or nothing', async () => {
    expect(await behindWebhook({ respondWith: 'text', responseBody: '<p>hi</p>' })).toEqual({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: '<p>hi</p>',
    });
    expect(await behindWebhook({ respondWith: 'redirect', redirectURL: 'https://x.example/' })).toEqual({
      status: 307,
      headers: { location: 'https://x.example/' },
      body: '',
    });
    expect(await behindWebhook({ respondWith: 'noData', options: { responseCode: 204 } })).toEqual({
      status: 204,
      headers: {},
      body: '',
    });
  });

  it('sets a status and headers with lowercase names, and removes line breaks from values', async () => {
    const options = {
      responseCode: 418,
      responseHeaders: {
        entries: [
          { name: 'X-Tea', value: 'pot\r\nset-cookie: a=1' },
          { name: 'Content-Type', value: 'text/plain' },
        ],
      },
    };
    expect(await behindWebhook({ respondWith: 'text', responseBody: 'x', options })).toEqual({
      status: 418,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'x-tea': 'pot set-cookie: a=1' },
      body: 'x',
    });
  });

  it.each([
    [{ responseCode: 42 }, 'not an HTTP status'],
    [{ responseHeaders: { entries: [{ name: 'a b', value: '' }] } }, 'not a valid header name'],
  ])('rejects %j', async (options, text) => {
    await expect(behindWebhook({ options })).rejects.toThrow(text);
  });

  it('passes its items on', async () => {
    expect((await runKind('respondToWebhook', { version: 1, items })).outputs).toEqual([items]);
  });

  it('outputs its response on a second output if configured', async () => {
    const parameters = { enableResponseOutput: true, respondWith: 'json', responseBody: '{"a":1}' };
    expect((await respond(parameters, { version: 1.4 })).outputs[1]).toEqual([
      { response: { statusCode: 200, headers: {}, body: { a: 1 } } },
    ]);
    const options = { responseHeaders: { entries: [{ name: 'X-A', value: '1' }] }, responseCode: 202 };
    const shownOf = async (more: JsonObject) =>
      (await respond({ enableResponseOutput: true, ...more }, { version: 1.4 })).outputs[1];
    expect(await shownOf({ respondWith: 'noData', options })).toEqual([
      { response: { statusCode: 202, headers: { 'x-a': '1' } } },
    ]);
    expect(await shownOf({ respondWith: 'redirect', redirectURL: 'https://example.com/' })).toEqual([
      { response: { statusCode: 307, headers: { location: 'https://example.com/' } } },
    ]);
    expect((await respond({ ...parameters, enableResponseOutput: false }, { version: 1.4 })).outputs).toHaveLength(1);
    expect((await respond({}, { version: 1.3 })).outputs).toHaveLength(2);
  });

  it('outputs one error for all items if it continues, on the error output if there is one', async () => {
    const bad = { respondWith: 'json', responseBody: '{ "a": ' };
    const error = "Invalid JSON in 'Response Body' field";
    const regular = await respond(bad, { node: { onError: 'continueRegularOutput' } });
    expect(regular.items).toEqual([[{ json: { error }, pairedItem: [{ item: 0 }, { item: 1 }] }]]);
    const apart = await respond(bad, { node: { onError: 'continueErrorOutput' } });
    expect([apart.outputs, apart.answers]).toEqual([[[], [{ n: 1, error }]], []]);
  });

  it('fails without a webhook before it, from version 1.1 on', async () => {
    expect((await runKind('respondToWebhook', { version: 1.1, items })).error?.message).toContain('No Webhook node');
    expect((await runKind('respondToWebhook', { version: 1, items })).error).toBeUndefined();
  });

  describe('with a file', () => {
    const photo = { id: 'e1.1.file-a', mimeType: 'image/png', fileSize: 3 };
    const binary = { photo, other: { ...photo, id: 'e1.1.file-b' } };

    it('responds with the first file of the first item, by reference', async () => {
      expect(await behindWebhook({ respondWith: 'binary' }, { binary })).toEqual({
        status: 200,
        headers: { 'content-type': 'image/png' },
        body: '',
        fileId: 'e1.1.file-a',
      });
    });

    it('responds with the selected file, with its type in the headers', async () => {
      const options = { responseHeaders: { entries: [{ name: 'Content-Type', value: 'image/gif' }] } };
      expect(
        await behindWebhook(
          { respondWith: 'binary', responseDataSource: 'set', inputFieldName: 'other', options },
          { binary },
        ),
      ).toMatchObject({ headers: { 'content-type': 'image/gif' }, fileId: 'e1.1.file-b' });
    });

    it('reports a missing file', async () => {
      await expect(behindWebhook({ respondWith: 'binary' })).rejects.toThrow('No binary data exists on the first item');
      await expect(behindWebhook({ respondWith: 'binary', responseDataSource: 'set' }, { binary })).rejects.toThrow(
        'no binary field',
      );
    });

    it('shows the reference on its second output', async () => {
      expect((await respond({ respondWith: 'binary' }, { version: 1.3, binary })).outputs[1]).toEqual([
        {
          response: {
            statusCode: 200,
            headers: { 'content-type': 'image/png' },
            body: { binaryData: { id: 'e1.1.file-a' } },
          },
        },
      ]);
    });
  });

  it('responds with a token, signed by its credential', async () => {
    const credential = { keyType: 'passphrase', secret: 'weft-test', algorithm: 'HS256' };
    const over = { credential, node: { credentials: { jwtAuth: { id: '1', name: 'Key' } } } };
    const answer = await behindWebhook({ respondWith: 'jwt', payload: '={{ { n: $json.n } }}' }, over);
    const token: string = JSON.parse(String(answer?.body)).token;
    expect(verify(token, credential.secret)).toEqual({ n: 1, iat: 1_700_000_000 });
    await expect(behindWebhook({ respondWith: 'jwt', payload: '[1]' }, over)).rejects.toThrow(
      "Invalid JSON in 'Payload' field",
    );
    await expect(behindWebhook({ respondWith: 'jwt', payload: '{}' })).rejects.toThrow('no credential of type jwtAuth');
  });

  it.each(['webhook', 'wait', 'formTrigger'])('can respond to the caller of a %s node', async (after) => {
    const { outcome } = await runTest({
      kinds: KIND_TABLE,
      executors: { pass, [after]: pass, respondToWebhook },
      nodes: [
        ['S', 'pass'],
        ['Called', after],
        ['R', 'respondToWebhook', { typeVersion: 1.1 }],
      ],
      links: ['S>Called', 'Called>R'],
    });
    expect(outcome.kind).toBe('success');
  });

  describe('in a chat that shows messages of nodes', () => {
    const inChat = (parameters: JsonObject) =>
      runTest({
        nodes: [
          [
            'Chat',
            'chatTrigger',
            {
              type: '@n8n/n8n-nodes-langchain.chatTrigger',
              parameters: { options: { responseMode: 'responseNodes' } },
            },
          ],
          ['Respond', 'respondToWebhook', { typeVersion: 1.4, parameters }],
        ],
        links: ['Chat>Respond'],
        executors: {},
        registry: NODE_REGISTRY,
        kinds: KIND_TABLE,
        mode: 'webhook',
        input: [{ body: { chatInput: 'Hi' } }],
        respond: async () => {
          throw new Error('Nothing is sent to the caller.');
        },
      });

    it.each([
      [{ respondWith: 'text', responseBody: 'Hello' }, 'Hello'],
      [{ respondWith: 'json', responseBody: '{ "output": "Hello" }' }, 'Hello'],
      [{ respondWith: 'json', responseBody: '{ "a": 1 }' }, '{\n  "a": 1\n}'],
    ])('sends %j as the message %j, and passes its items on', async (parameters, text) => {
      const result = await inChat(parameters);
      expect(chatOf(result.runMemory)?.messages.at(-1)).toEqual({ author: 'assistant', text });
      expect(jsonOf(result, 'Respond')).toEqual([{ sessionId: '', action: 'sendMessage', chatInput: 'Hi' }]);
    });
  });
});
