import type { AppDocument, AppStep } from '@weft/app-model';
import { memoryFiles } from '@weft/engine/testing';
import type { SeenRequest } from '@weft/outbound/testing';
import { simpleParser } from 'mailparser';
import { type AppTestRun, runAppKind } from './testing/run-app';
import { testService } from './testing/test-service';

const MAIL = 'From: Ada <ada@example.com>\r\nSubject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=\r\n';
const WITH_FILE = [
  `${MAIL}Content-Type: multipart/mixed; boundary=b`,
  '',
  '--b',
  'Content-Type: text/plain',
  '',
  'Hello',
  '--b',
  'Content-Type: text/csv; name=a.csv',
  'Content-Disposition: attachment; filename=a.csv',
  '',
  '1,2',
  '--b--',
].join('\r\n');
const encoded = (text: string): string => Buffer.from(text).toString('base64url');

describe('the steps of an app', () => {
  let answer: (seen: SeenRequest) => unknown;
  let requests: SeenRequest[];
  const server = testService((seen) => {
    requests.push(seen);
    const isLimited = seen.path === '/limited' && requests.filter(({ path }) => path === seen.path).length === 1;
    return { body: answer(seen), ...(isLimited ? { status: 429, headers: { 'retry-after': '60' } } : {}) };
  });
  beforeEach(() => {
    requests = [];
    answer = () => ({ ok: true });
  });

  const run = (steps: readonly AppStep[], list: string, over: Partial<AppTestRun> = {}) => {
    const app: AppDocument = {
      weftApp: 1,
      name: 'test',
      label: 'Test',
      hosts: ['127.0.0.1'],
      credentials: { httpBearerAuth: 'catalogue' },
      calls: { api: { url: server.url, lists: 'repeat' } },
      pages: {
        next: { by: 'cursor', next: 'next', into: 'query.cursor', size: { into: 'query.size', max: 2 } },
        last: { by: 'cursor', next: '={{ $response.body[1]?.id }}', into: 'query.after' },
      },
      kinds: {
        testApp: {
          label: 'Test',
          description: 'Test.',
          versions: [1],
          groups: ['input'],
          credentials: [{ type: 'httpBearerAuth' }],
          parameters: [
            { name: 'limit', label: 'Limit', type: 'number' },
            { name: 'subject', label: 'Subject', type: 'string' },
            { name: 'to', label: 'To', type: 'string' },
          ],
          operations: { default: { steps, list } },
        },
      },
    };
    return runAppKind({ app, http: server.client, credential: { token: 'secret-token' }, ...over });
  };

  it('fetch a list whose next page an expression names', async () => {
    answer = ({ path }) => (path.includes('after=2') ? [{ id: 3 }] : [{ id: 1 }, { id: 2 }]);
    const step: AppStep = { as: 'all', call: 'api', path: '/all', pages: 'last', list: '={{ $response.body }}' };
    const { items } = await run([step], '={{ $steps.all.body }}', { parameters: { limit: 9 } });
    expect(items.map(({ json }) => json)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(requests.map(({ path }) => path)).toEqual(['/all', '/all?after=2']);
  });

  it('send a request for each entry of a list, which was fetched page by page up to the limit', async () => {
    answer = ({ path }) =>
      path.startsWith('/ids')
        ? { ids: path.includes('cursor') ? [{ id: 3 }, { id: 4 }] : [{ id: 1 }, { id: 2 }], next: 'c' }
        : { path };
    const { items } = await run(
      [
        { as: 'ids', call: 'api', path: '/ids', pages: 'next', list: 'ids' },
        { as: 'each', forEach: '={{ $steps.ids.body }}', call: 'api', path: '={{ `/one/${$entry.id}` }}' },
      ],
      '={{ $steps.each.map(one => one.body) }}',
      { parameters: { limit: 3 } },
    );
    expect(items.map(({ json }) => json)).toEqual([{ path: '/one/1' }, { path: '/one/2' }, { path: '/one/3' }]);
    expect(requests.map(({ path }) => path).slice(0, 2)).toEqual(['/ids?size=2', '/ids?size=1&cursor=c']);
  });

  it('send nothing for an empty list, and refuse what is not a list', async () => {
    const each = (forEach: string) => run([{ as: 'each', forEach, call: 'api' }], '={{ $steps.each }}');
    expect((await each('={{ undefined }}')).items).toEqual([]);
    expect((await each('={{ 1 }}')).error?.message).toContain('must give a list');
    expect((await each('={{ Array(10001).fill(1) }}')).error?.message).toContain('more than 10000');
    expect(requests).toEqual([]);
  });

  it('repeat a name for the values of a list in the query', async () => {
    await run([{ as: 'one', call: 'api', path: '/x', query: { a: ['1', '2'] } }], '={{ [] }}');
    expect(requests[0]?.path).toBe('/x?a=1&a=2');
  });

  it('read the mail in a response, whose files belong to its own item', async () => {
    const raw: Record<string, string> = { '/1': encoded(`${MAIL}\r\nPlain`), '/2': encoded(WITH_FILE) };
    answer = ({ path }) => ({ id: path, message: { raw: raw[path], size: 5 } });
    const { items, error } = await run(
      [
        {
          as: 'mails',
          forEach: '={{ ["/1", "/2"] }}',
          call: 'api',
          path: '={{ $entry }}',
          mail: { from: 'message.raw', attachments: '={{ true }}', prefix: '={{ "file_" }}' },
        },
      ],
      '={{ $steps.mails.map(one => ({ ...one.body, subject: one.mail.subject, text: one.mail.text.trim() })) }}',
    );
    expect(error).toBeUndefined();
    expect(items.map(({ json }) => json)).toEqual([
      { id: '/1', message: { size: 5 }, subject: 'Grüße', text: 'Plain' },
      { id: '/2', message: { size: 5 }, subject: 'Grüße', text: 'Hello' },
    ]);
    expect(items.map(({ binary }) => binary)).toEqual([
      undefined,
      { file_0: expect.objectContaining({ fileName: 'a.csv', mimeType: 'text/csv' }) },
    ]);
  });

  it('keep the files of mails across a wait without a slot', async () => {
    answer = ({ path }) => (path === '/limited' ? {} : { raw: encoded(WITH_FILE) });
    const { items, waits } = await run(
      [
        { as: 'mails', forEach: '={{ [1] }}', call: 'api', mail: { from: 'raw', attachments: '={{ true }}' } },
        { as: 'limited', call: 'api', path: '/limited' },
      ],
      '={{ $steps.mails.map(one => ({ subject: one.mail.subject })) }}',
    );
    expect(waits).toEqual([60_000]);
    expect(requests.map(({ path }) => path)).toEqual(['/', '/limited', '/limited']);
    expect(items).toMatchObject([{ json: { subject: 'Grüße' }, binary: { attachment_0: { fileName: 'a.csv' } } }]);
  });

  it('fail for a response without the mail', async () => {
    const { error } = await run([{ as: 'mail', call: 'api', mail: { from: 'raw' } }], '={{ [] }}');
    expect(error?.message).toBe('Test answered without the text of the mail.');
  });

  const send = (over: Partial<AppTestRun>, attachments = '[]') =>
    run(
      [
        {
          as: 'sent',
          call: 'api',
          method: 'POST',
          body: {
            draft: {
              id: 1,
              raw:
                '={{ $fn.mime({ to: $p.to, bcc: "eve@example.com", subject: $p.subject, text: "Hi", ' +
                `html: "<b>Hi</b>", attachments: ${attachments} }) }}`,
            },
          },
        },
      ],
      '={{ [] }}',
      over,
    );
  const sentMail = async () => {
    const body: { draft: { id: number; raw: string } } = JSON.parse(requests[0]?.body ?? '');
    const text = Buffer.from(body.draft.raw, 'base64url').toString();
    return { text, mail: await simpleParser(text) };
  };

  it('send a mail in MIME within a JSON body, blind copies and files included', async () => {
    const files = memoryFiles();
    const data = await files.store(Buffer.from('1,2'), { mimeType: 'text/csv', fileName: 'ä\r\nX: y.csv' });
    const result = await send(
      {
        parameters: { to: 'Zoë <zoe@example.com>, bob@example.com', subject: 'Grüße\nthere' },
        files,
        binary: { data },
      },
      '["data"]',
    );
    expect(result.error).toBeUndefined();
    const { text, mail } = await sentMail();
    expect(text).toContain('Bcc: eve@example.com');
    expect(text).toContain('Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe_there?=');
    expect(text).not.toMatch(/^X:/m);
    expect(mail.to).toMatchObject({ text: '"Zoë" <zoe@example.com>, bob@example.com' });
    expect([mail.text?.trim(), mail.html]).toEqual(['Hi', '<b>Hi</b>']);
    expect(mail.attachments.map(({ filename, contentType, content }) => [filename, contentType, `${content}`])).toEqual(
      [['äX: y.csv', 'text/csv', '1,2']],
    );
  });

  it.each([
    ['to', { to: 'a@example.com\r\nBcc: x@example.com', subject: 's' }, 'field "to" of the mail'],
    ['subject', { to: 'a@example.com', subject: 's\r\nBcc: x@example.com' }, 'The subject'],
  ])('refuse a line break in the %s that would add a header', async (_name, parameters, message) => {
    const { error } = await send({ parameters });
    expect(error?.message).toContain(message);
    expect(requests).toEqual([]);
  });

  it('refuse a mail with a file that the item does not have', async () => {
    const { error } = await send({ parameters: { to: 'a@example.com', subject: 's' } }, '["none"]');
    expect(error?.message).toBe('The item has no file under "none".');
  });

  it('send a file of the item as the whole body', async () => {
    const files = memoryFiles();
    const data = await files.store(Buffer.from('BYTES'), { mimeType: 'image/png', fileName: 'a.png' });
    const step = { as: 'sent', call: 'api', method: 'POST', body: "={{ $fn.file('data') }}" } as const;
    await run([step], '={{ [] }}', { files, binary: { data } });
    expect(requests[0]).toMatchObject({ body: 'BYTES', headers: { 'content-type': 'image/png' } });
    const misplaced = await run([{ ...step, body: { a: '={{ [$fn.mime({})] }}' } }], '={{ [] }}');
    expect(misplaced.error?.message).toContain('a mail a field of a JSON body');
  });
});
