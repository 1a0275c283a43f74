import type { FormField, FormPage, FormSettings } from '@weft/proto/channels';
import { ExecutionState } from '@weft/proto/executions';
import { ServiceError } from '@weft/service-kit/errors';
import { isJsonObject } from '@weft/service-kit/json';
import { executionOf } from '../peers/executions';
import { callerRules, formField as field, formPage } from '../peers/ingress-settings';
import { formAt } from '../peers/workflows';
import { startGateway, type TestGateway } from '../support/start-gateway';

type Fields = Readonly<Record<string, unknown>>;

const SUBMISSION = '11111111-2222-4333-8444-555555555555';
describe('/form/<path>', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    set([field({ required: true })]);
  });
  afterEach(() => gateway.stop());

  const set = (fields: FormField[], page: Partial<FormPage> = {}, settings: Partial<FormSettings> = {}) =>
    gateway.workflows.webhooks.set('FORM contact', formAt({ page: formPage({ fields, ...page }), ...settings }));
  const open = (query = '') => gateway.ask('GET', `/form/contact${query}`);
  const send = (
    values: Readonly<Record<string, string | readonly string[]>>,
    query = '',
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const pairs = Object.entries(values).flatMap(([name, value]) =>
      (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
    );
    return gateway.ask('POST', `/form/contact${query}`, {
      body: new URLSearchParams(pairs).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  };
  const starts = (): readonly Fields[] =>
    gateway.executions
      .callsOf('startExecutions')
      .flatMap(({ request }) =>
        isJsonObject(request) && Array.isArray(request['starts']) ? request['starts'].filter(isJsonObject) : [],
      );
  const item = (): unknown => {
    const input = starts().at(-1)?.['input'];
    const items: unknown = Buffer.isBuffer(input) ? JSON.parse(input.toString()) : [];
    return Array.isArray(items) ? items[0] : undefined;
  };

  it('shows the form without an API key, and without anything that could run', async () => {
    const { status, text, headers } = await open();
    expect([status, headers.get('content-type'), headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(
      [200, 'text/html; charset=utf-8', 'no-store', 'no-referrer'],
    );
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self';.*form-action 'self'; base-uri 'none'$/,
    );
    expect(text).toContain('<label for="field-0">Name');
    expect(text).not.toMatch(/<script|javascript:/i);
    const style = /href="(\/form-files\/[^"]+)"/.exec(text)?.[1] ?? '';
    expect((await gateway.ask('GET', style)).headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect((await gateway.ask('GET', '/form-files/other.css')).status).toBe(404);
  });

  it('starts a run on submission, once for each rendering, and shows the end at a separate address', async () => {
    const reply = await send({ 'field-0': ' Ada ', 'weft-submission': SUBMISSION }, '?ref=mail');
    expect([reply.status, reply.headers.get('location')]).toEqual([303, `/form/contact?weft-sent=${SUBMISSION}`]);
    expect(reply.headers.get('x-weft-execution-id')).toBe('e1');
    expect(starts()).toMatchObject([
      { workflowId: 'w1', versionId: 'v1', startNode: 'Form', mode: 3, idempotencyKey: `form-${SUBMISSION}` },
    ]);
    expect(item()).toEqual({
      json: {
        submittedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        params: {},
        query: { ref: 'mail' },
        body: { Name: 'Ada' },
      },
    });
    expect((await open(`?weft-sent=${SUBMISSION}`)).text).toContain('Your response has been recorded.');
  });

  it('shows the form again with its values and errors, and starts nothing', async () => {
    set([
      field({ required: true }),
      field({ name: 'Mail', label: 'Mail', type: 'email' }),
      field({ name: 'Key', label: 'Key', type: 'password' }),
    ]);
    const { status, text } = await send({ 'field-0': '  ', 'field-1': '"><script>x', 'field-2': 'secret' });
    expect(status).toBe(400);
    expect(text).toContain('Please correct 2 answers');
    expect(text).toMatch(
      /<input id="field-0" name="field-0" required aria-invalid="true" aria-describedby="field-0-error" autofocus/,
    );
    expect(text).toMatch(/>\n<p class="error" id="field-0-error">Fill in this field\.<\/p>/);
    expect(text).toContain('value="&#34;&#62;&#60;script&#62;x"');
    expect(text).not.toContain('secret');
    expect(starts()).toEqual([]);
  });

  it.each<[string, Fields, string | readonly string[], unknown]>([
    ['text', { type: 'text' }, ' a ', 'a'],
    ['several lines', { type: 'textarea' }, 'a\r\nb ', 'a\r\nb'],
    ['a number', { type: 'number' }, '-1.5e3', -1500],
    ['no number', { type: 'number' }, '', 0],
    ['an email address', { type: 'email' }, 'a.b@c.example', 'a.b@c.example'],
    ['a date', { type: 'date' }, '2024-02-29', '2024-02-29'],
    ['a password', { type: 'password' }, ' p ', ' p '],
    ['a choice', { type: 'dropdown', options: ['x', 'y'] }, 'y', 'y'],
    ['choices', { type: 'dropdown', multiple: true, options: ['x', 'y'] }, ['x', 'y', 'x'], ['x', 'y']],
    ['boxes', { type: 'checkbox', multiple: true, options: ['x', 'y'], least: 1, most: 2 }, ['y'], ['y']],
    ['no boxes', { type: 'checkbox', multiple: true, options: ['x'] }, [], []],
    ['a button', { type: 'radio', options: ['x', 'y'] }, 'x', 'x'],
    ['no button', { type: 'radio', options: ['x', 'y'] }, [], undefined],
    ['no choice', { type: 'dropdown', options: ['x', 'y'] }, '', ''],
    ['a hidden value', { type: 'hidden', initial: 'h' }, 'q', 'q'],
    ['HTML with a name', { type: 'html', initial: '<b onclick="x()">hi</b><script>1</script>' }, [], '<b>hi</b>'],
  ])('gives %s', async (_what, over, sent, expected) => {
    set([field(over)]);
    expect((await send({ 'field-0': sent })).status).toBe(303);
    const value = item();
    expect(
      isJsonObject(value) && isJsonObject(value['json']) && isJsonObject(value['json']['body'])
        ? value['json']['body']['Name']
        : undefined,
    ).toEqual(_what === 'several lines' ? 'a\r\nb ' : expected);
  });

  it.each<[string, Fields, string | readonly string[], string]>([
    ['nothing where something is required', { type: 'number', required: true }, '', 'Fill in this field.'],
    ['a word for a number', { type: 'number' }, 'ten', 'Enter a number.'],
    ['an invalid number', { type: 'number' }, 'Infinity', 'Enter a number.'],
    ['half an address', { type: 'email' }, 'a@b', 'Enter an email address'],
    ['a day that does not exist', { type: 'date' }, '2023-02-29', 'Enter a date.'],
    ['a choice that was not offered', { type: 'dropdown', options: ['x'] }, 'z', 'Choose one of the listed options.'],
    ['no choice', { type: 'radio', options: ['x'], required: true }, [], 'Choose one.'],
    [
      'too few boxes',
      { type: 'checkbox', multiple: true, options: ['x', 'y', 'z'], least: 2, most: 3 },
      ['x'],
      'Choose 2 to 3.',
    ],
    [
      'too many boxes',
      { type: 'checkbox', multiple: true, options: ['x', 'y', 'z'], least: 1, most: 1 },
      ['x', 'y'],
      'Choose exactly 1.',
    ],
    [
      'a box that was not offered',
      { type: 'checkbox', multiple: true, options: ['x'] },
      ['evil'],
      'Choose only listed options.',
    ],
    ['a string that is too long', { type: 'text' }, 'x'.repeat(10_001), 'Enter at most'],
    ['no file', { type: 'file', required: true }, [], 'Choose a file.'],
  ])('refuses %s with a message at the field', async (_what, over, sent, error) => {
    set([field(over)]);
    const { status, text } = await send({ 'field-0': sent });
    expect([status, starts().length]).toEqual([400, 0]);
    expect(text).toContain(`<p class="error" id="field-0-error">${error}`);
  });

  it('accepts files, names them by their field and reports their types', async () => {
    set([
      field({ name: 'CV (PDF)', label: 'CV (PDF)', type: 'file', accept: '.pdf, image/*', multiple: true }),
      field({ name: 'Photo', label: 'Photo', type: 'file' }),
    ]);
    const form = new FormData();
    form.append('field-0', new Blob(['one'], { type: 'application/pdf' }), 'one.pdf');
    form.append('field-0', new Blob(['two!'], { type: 'image/png' }), 'two.png');
    form.append('field-1', new Blob(['three'], { type: 'image/png' }), 'me.png');
    expect(
      (await fetch(`${gateway.base}/form/contact`, { method: 'POST', body: form, redirect: 'manual' })).status,
    ).toBe(303);
    expect(item()).toMatchObject({
      json: {
        body: {
          'CV (PDF)': [
            { filename: 'one.pdf', mimetype: 'application/pdf', size: 3 },
            { filename: 'two.png', mimetype: 'image/png', size: 4 },
          ],
          Photo: { filename: 'me.png' },
        },
      },
      binary: {
        CV__PDF__0: { fileName: 'one.pdf' },
        CV__PDF__1: { fileName: 'two.png' },
        Photo: { fileName: 'me.png', fileSize: 5 },
      },
    });
    expect(String(starts()[0]?.['executionId'])).toMatch(/^[0-9a-f-]{36}$/);
    const wrong = new FormData();
    wrong.append('field-0', new Blob(['x'], { type: 'text/html' }), 'x.html');
    wrong.append('field-1', new Blob(['x'], { type: 'image/png' }), 'x.png');
    const refused = await fetch(`${gateway.base}/form/contact`, { method: 'POST', body: wrong });
    const text = await refused.text();
    expect(text).toContain('is not an accepted file type');
    expect(text).toContain('Choose the file again.');
  });

  it('fills in the values of its address, or otherwise those of the author', async () => {
    set([
      field({ initial: 'me' }),
      field({ name: 'Size', label: 'Your size', type: 'radio', options: ['S', 'M'], initial: 'S' }),
      field({ name: 'src', label: '', type: 'hidden', initial: 'web' }),
    ]);
    const { text } = await open('?Your+size=M&src=%22mail%22&Name=');
    expect(text).toMatch(/value="M" checked/);
    expect(text).toContain('name="field-2" value="&#34;mail&#34;"');
    expect(text).toContain('action="/form/contact?Your+size=M&#38;src=%22mail%22&#38;Name="');
    expect((await open()).text).toMatch(/name="field-0"[^>]*value="me"/);
  });

  it("sanitizes the author's HTML, and prevents styles from loading or breaking out", async () => {
    set(
      [
        field({
          name: '',
          type: 'html',
          initial:
            '<h2>T</h2><img src=x onerror=alert(1)><iframe src="//e"></iframe><form action="//e"><input ' +
            'name=a></form><a href="javascript:x">l</a>',
        }),
      ],
      {
        title: '<i>T</i>',
        description: 'Line 1\n<b>bold</b><script>alert(1)</script><style>x</style>',
        css: 'h1 { color: red } </style><script>alert(1)</script>',
      },
    );
    const { text, headers } = await open();
    expect(text).toContain('<h1>&#60;i&#62;T&#60;/i&#62;</h1>');
    expect(text).toContain('Line 1<br><b>bold</b></div>');
    expect(text).toMatch(/<h2>T<\/h2><img src="x" \/><a target="_blank" rel="noopener noreferrer">l<\/a>/);
    expect(text.match(/<\/style>/g)).toHaveLength(1);
    expect(text).not.toContain('<script');
    expect(headers.get('content-security-policy')).toMatch(/style-src 'self' 'sha256-[\w+/=]+'/);
  });

  it('requires a password if one is set, and then accepts nothing from other sites and cannot be framed', async () => {
    set([field({})], {}, { callers: callerRules({ authentication: 'basicAuth', credentialId: 'c1' }) });
    expect((await open()).headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect((await send({ 'field-0': 'x' }, '', { origin: 'https://evil.example' })).status).toBe(403);
    expect((await send({ 'field-0': 'x' }, '', { origin: gateway.base })).status).toBe(303);
    gateway.credentials.told.webhookAuth = { granted: false, refusalStatus: 401, claimsJson: '', secretHeader: '' };
    const { status, headers, text } = await open();
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Basic realm="webhook"']);
    expect(text).toContain('Please sign in');
  });

  it('reports in a page an unknown form, a wrong method, a full queue, or a repeated submission', async () => {
    const nothing = await gateway.ask('GET', '/form/nothing');
    expect([nothing.status, nothing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect((await gateway.ask('DELETE', '/form/contact')).status).toBe(404);
    expect((await gateway.ask('GET', '/form/%E0%A4%A')).status).toBe(404);
    expect((await gateway.ask('POST', '/form/contact', { body: {} })).status).toBe(400);
    gateway.executions.told.startFailure = new ServiceError({
      reason: 'IDEMPOTENCY_KEY_REUSED',
      kind: 'conflict',
      message: 'Another.',
    });
    const again = await send({ 'field-0': 'x' });
    expect([again.status, again.text.includes('Already submitted')]).toEqual([409, true]);
  });

  describe('afterwards', () => {
    const at = `?weft-sent=${SUBMISSION}`;
    const key = `form-${SUBMISSION}`;
    const polled = (over: Fields = {}) => ({
      executionId: 'e1',
      existing: true,
      response: undefined,
      ended: undefined,
      ...over,
    });
    const told = (value: Fields) => ({
      statusCode: 200,
      headers: [{ name: 'content-type', value: 'application/vnd.weft.form+json' }],
      body: Buffer.from(JSON.stringify(value)),
    });
    beforeEach(() =>
      set(
        [],
        {},
        { responseMode: 'lastNode', hasPages: true, end: { end: { $case: 'text', value: 'Bye <b>now</b>' } } },
      ),
    );

    it('polls while the run is running, but not forever', async () => {
      gateway.executions.trails.set(key, { polled: polled() });
      expect((await open(at)).text).toContain(
        `<meta http-equiv="refresh" content="1; url=/form/contact?weft-sent&#61;`.replace('&#61;', '='),
      );
      expect((await open(`${at}&weft-try=7`)).text).toContain('weft-try=8');
      expect((await open(`${at}&weft-try=80`)).text).not.toContain('http-equiv="refresh"');
    });

    it.each<[string, Fields, RegExp]>([
      ['the text of the author', { ended: executionOf('e1') }, /Bye <b>now<\/b>/],
      [
        'that it went wrong, and no more',
        {
          ended: executionOf('e1', {
            state: ExecutionState.EXECUTION_STATE_ERROR,
            error: { reason: 'X', message: 'inner secret', node: 'N', errorJson: '' },
          }),
        },
        /Something went wrong/,
      ],
      [
        'the text of the run',
        { response: told({ kind: 'end', title: 'Hi <x>', message: 'Done' }) },
        /<h1>Hi &#60;x&#62;<\/h1>\n<p class="big">Done/,
      ],
      [
        'another page',
        { response: told({ kind: 'redirect', url: 'https://x.example/?a=1&b=2' }) },
        /content="0; url=https:\/\/x\.example\/\?a=1&#38;b=2"/,
      ],
      [
        'the end, if the other page is missing',
        { response: told({ kind: 'redirect', url: 'javascript:alert(1)' }) },
        /Your response has been recorded/,
      ],
      [
        'another page that a Respond node names',
        {
          response: {
            statusCode: 302,
            headers: [{ name: 'location', value: 'https://y.example/' }],
            body: Buffer.alloc(0),
          },
        },
        /url=https:\/\/y\.example\//,
      ],
      [
        'files to save',
        {
          response: told({
            kind: 'file',
            pageTitle: 'Window',
            title: 'T',
            message: '',
            files: [
              { fileId: 'r1', fileName: 'a<b.pdf', mimeType: 'application/pdf' },
              { fileId: 'r2', fileName: '', mimeType: 'text/plain' },
            ],
          }),
        },
        new RegExp(
          [
            '<title>Window</title>',
            '<h1>T</h1>',
            'weft-file=1" download>Save a&#60;b\\.pdf',
            'weft-file=2" download>Save',
          ].join('[^]*'),
        ),
      ],
    ])('shows %s', async (_what, over, expected) => {
      gateway.executions.trails.set(key, { polled: polled(over) });
      const { text } = await open(at);
      expect(text).toMatch(expected);
      expect(text).not.toContain('inner secret');
    });

    it('redirects to the next page of the run', async () => {
      gateway.executions.trails.set(key, {
        polled: polled({ response: told({ kind: 'page', token: 'tok-1234567890123456' }) }),
      });
      const { status, headers } = await open(at);
      expect([status, headers.get('location')]).toEqual([303, '/form-waiting/tok-1234567890123456']);
    });

    it('passes on the response of a Respond node unchanged, protected like that of a webhook', async () => {
      gateway.executions.trails.set(key, {
        polled: polled({
          response: {
            statusCode: 201,
            headers: [{ name: 'content-type', value: 'text/html' }],
            body: Buffer.from('<p>own</p>'),
          },
        }),
      });
      const { status, text, headers } = await open(at);
      expect([status, text, headers.get('content-security-policy')]).toEqual([
        201,
        '<p>own</p>',
        'sandbox allow-scripts allow-forms',
      ]);
    });
  });
});
