import { outputOf, runKind } from '../testing/cases/run-kind';

describe('webhook', () => {
  it('outputs the request as one item with all its parts', async () => {
    const request = {
      headers: { host: 'x' },
      params: { id: '7' },
      query: { a: '1' },
      body: { n: 1 },
      webhookUrl: 'http://x/webhook/a',
      executionMode: 'production',
    };
    expect(await outputOf('webhook', { isStart: true, mode: 'webhook', items: [request] })).toEqual([request]);
    expect(await outputOf('webhook', { isStart: true, mode: 'webhook', items: [{ body: 'text' }] })).toEqual([
      { headers: {}, params: {}, query: {}, body: 'text', webhookUrl: '', executionMode: 'production' },
    ]);
  });

  it.each([
    [
      'text/xml; charset=utf-8',
      '<Order id="7"><Item>a</Item><Item> b </Item></Order>',
      { order: { $: { id: '7' }, item: ['a', 'b'] } },
    ],
    ['application/soap+xml', '<a/>', { a: '' }],
    ['application/xml', '<a><b></a>', '<a><b></a>'],
    ['text/plain', '<a/>', '<a/>'],
  ])('reads a body of type %s', async (type, body, expected) => {
    const [item] = await outputOf('webhook', {
      isStart: true,
      mode: 'webhook',
      items: [{ headers: { 'content-type': type }, body }],
    });
    expect(item).toMatchObject({ body: expected });
  });

  it.each<[number, boolean, unknown]>([
    [1, false, null],
    [1.1, false, {}],
    [2.1, false, {}],
    [2.1, true, null],
  ])('treats falsy JSON as no body from version 1.1 on, without raw body', async (version, rawBody, body) => {
    const parameters = { options: { rawBody } };
    const run = { isStart: true, mode: 'webhook' as const, version, parameters };
    const given = await outputOf('webhook', { ...run, items: [{ body: null }] });
    expect(given).toEqual([expect.objectContaining({ body })]);
  });

  it('adds the extension of its type to a file name without one', async () => {
    const file = { id: 'f', mimeType: 'image/png', fileSize: 3 };
    const { items } = await runKind('webhook', {
      mode: 'webhook',
      items: [{}],
      binary: { a: file, b: { ...file, fileName: 'x.jpeg', fileExtension: 'jpeg' }, c: { ...file, mimeType: 'x/y' } },
    });
    const files = Object.values(items[0]?.[0]?.binary ?? {});
    expect(files.map(({ fileExtension }) => fileExtension)).toEqual(['png', 'jpeg', undefined]);
  });

  it('outputs the data of the call when started manually', async () => {
    expect(await outputOf('webhook', { isStart: true, items: [{ n: 1 }] })).toEqual([{ n: 1 }]);
  });
});
