import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@weft/node-catalogue';
import { memoryFiles } from '@weft/engine/testing';
import { createOutboundClient, createRemoteServers, type OutboundClient } from '@weft/outbound';
import { type LocalServer, serveTcp } from '@weft/outbound/testing';
import { ImapFlow } from 'imapflow';
import { memoryState } from '../src/testing/memory-state';
import { type KindRun, runKind } from '../src/testing/cases/run-kind';
import { describeWithServer, type RemoteServer } from './support/remote-server';

const VERSIONS = [1, 2, 2.1, 2.2];

const mail = (subject: string, more: readonly string[] = [], body = 'Hello'): string =>
  [
    'From: "Ada" <ada@example.com>',
    'To: bob@example.org',
    `Subject: ${subject}`,
    'Date: Thu, 01 Jan 2026 10:00:00 +0000',
    ...more,
    '',
    body,
  ].join('\r\n');

const WITH_FILES = mail(
  '=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
  ['X-Own: one', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'],
  [
    '--b',
    'Content-Type: multipart/alternative; boundary=c',
    '',
    '--c',
    'Content-Type: text/plain',
    '',
    'Hello',
    '--c',
    'Content-Type: text/html',
    '',
    '<b>Hello</b>',
    '--c--',
    '--b',
    'Content-Type: text/csv',
    'Content-Disposition: attachment; filename=a.csv',
    '',
    'a,b',
    '--b--',
  ].join('\r\n'),
);

/** A workflow that polls a separate mailbox. */
class Polls {
  readonly kept = memoryState();
  readonly files = memoryFiles();
  readonly user = `u${randomUUID()}`;
  #runs = 0;

  constructor(
    private readonly server: RemoteServer,
    private readonly client: OutboundClient,
  ) {}

  run(version: number, parameters: JsonObject = {}, more: Partial<KindRun> & { credential?: JsonObject } = {}) {
    const { host, port, password } = this.server;
    return runKind('emailReadImap', {
      version,
      isStart: true,
      mode: 'trigger',
      now: Date.now(),
      executionId: `e${(this.#runs += 1)}`,
      node: { credentials: { imap: { id: 'c1' } } },
      remote: createRemoteServers(this.client.openSocket),
      files: this.files,
      kept: this.kept,
      parameters,
      ...more,
      credential: { host, port, user: this.user, password, secure: false, ...more.credential },
    });
  }

  /** A run whose result was stored. */
  async items(version: number, parameters: JsonObject = {}): Promise<readonly JsonObject[]> {
    const { outputs, error } = await this.run(version, parameters);
    if (error !== undefined) throw new Error(error.message);
    this.kept.firstResults.set(`e${this.#runs}`, 'stored');
    return (outputs[0] ?? []).filter((json): json is JsonObject => json instanceof Object && !Array.isArray(json));
  }

  async subjects(version: number, parameters: JsonObject = {}): Promise<readonly unknown[]> {
    return (await this.items(version, parameters)).map(({ subject }) => subject);
  }

  /** Changes the mailbox as its owner would. */
  async asOwner<Result>(work: (owner: ImapFlow) => Promise<Result>): Promise<Result> {
    const { host, port, password } = this.server;
    const owner = new ImapFlow({ host, port, secure: false, auth: { user: this.user, pass: password }, logger: false });
    await owner.connect();
    try {
      return await work(owner);
    } finally {
      owner.close();
    }
  }

  send(...sources: readonly string[]): Promise<void> {
    return this.asOwner(async (owner) => {
      for (const source of sources) await owner.append('INBOX', source);
    });
  }

  seen(): Promise<readonly boolean[]> {
    return this.asOwner(async (owner) => {
      await owner.mailboxOpen('INBOX', { readOnly: true });
      return (await owner.fetchAll('1:*', { flags: true })).map(({ flags }) => flags?.has('\\Seen') === true);
    });
  }
}

describeWithServer('TEST_IMAP_URL', 'the mail trigger', (server) => {
  let client: OutboundClient;
  let polls: Polls;
  beforeAll(() => {
    client = createOutboundClient({ allow: ['127.0.0.0/8'] });
  });
  afterAll(() => client.close());
  beforeEach(() => {
    polls = new Polls(server, client);
  });

  it.each(VERSIONS)('version %s outputs each mail once, and marks it as read', async (version) => {
    expect(await polls.subjects(version)).toEqual([]);
    await polls.send(mail('one'), mail('two'));
    expect(await polls.subjects(version)).toEqual(['one', 'two']);
    expect(await polls.seen()).toEqual([true, true]);
    expect(await polls.subjects(version)).toEqual([]);
    await polls.send(mail('three'));
    expect(await polls.subjects(version)).toEqual(['three']);
  });

  it.each(VERSIONS)('version %s leaves mails unread if configured, and still outputs each once', async (version) => {
    const parameters = { postProcessAction: 'nothing' };
    await polls.items(version, parameters);
    await polls.send(mail('one'));
    expect(await polls.subjects(version, parameters)).toEqual(['one']);
    expect(await polls.seen()).toEqual([false]);
    expect(await polls.subjects(version, parameters)).toEqual([]);
  });

  it('outputs all that match in every poll without tracking', async () => {
    const parameters = { postProcessAction: 'nothing', options: { trackLastMessageId: false } };
    await polls.send(mail('one'));
    expect(await polls.subjects(2.1, parameters)).toEqual(['one']);
    expect(await polls.subjects(2.1, parameters)).toEqual(['one']);
  });

  it.each(VERSIONS)('version %s has text and headers in the format simple', async (version) => {
    await polls.send(WITH_FILES);
    const [json] = await polls.items(version, {});
    expect(json).toEqual({
      textPlain: 'Hello',
      textHtml: '<b>Hello</b>',
      from: '"Ada" <ada@example.com>',
      to: 'bob@example.org',
      subject: 'Grüße',
      date: 'Thu, 01 Jan 2026 10:00:00 +0000',
      metadata: { 'x-own': 'one', 'mime-version': '1.0', 'content-type': 'multipart/mixed; boundary=b' },
      ...(version < 2 ? {} : { attributes: { uid: 1 } }),
    });
  });

  it('stores attachments if configured, and always in the format resolved', async () => {
    await polls.send(WITH_FILES);
    const simple = { postProcessAction: 'nothing', downloadAttachments: true };
    const { items } = await polls.run(2.2, simple);
    const file = items[0]?.[0]?.binary?.['attachment_0'];
    expect(file).toMatchObject({ fileName: 'a.csv', mimeType: 'text/csv' });
    if (file !== undefined) expect(Buffer.from(await polls.files.read(file)).toString()).toBe('a,b');
    const other = new Polls(server, client);
    await other.send(WITH_FILES);
    const resolved = await other.run(2.2, { format: 'resolved', dataPropertyAttachmentsPrefixName: 'f' });
    expect(resolved.items[0]?.[0]?.binary?.['f0']).toMatchObject({ fileName: 'a.csv' });
    expect(resolved.outputs[0]?.[0]).toMatchObject({
      subject: 'Grüße',
      text: 'Hello',
      html: '<b>Hello</b>',
      date: '2026-01-01T10:00:00.000Z',
      from: { value: [{ address: 'ada@example.com', name: 'Ada' }] },
      headers: { 'x-own': 'X-Own: one' },
      attributes: { uid: 1 },
    });
  });

  it('outputs the source of a mail in the format raw', async () => {
    await polls.send(mail('one', [], 'Line\r\nother'));
    expect(await polls.items(2, { format: 'raw' })).toEqual([{ raw: 'Line\r\nother' }]);
  });

  it.each<[readonly unknown[], readonly string[]]>([
    [['UNSEEN', ['SUBJECT', 'two']], ['two']],
    [[['OR', ['SUBJECT', 'one'], ['HEADER', 'X-Own', 'yes']]], ['one', 'three']],
    [['!SEEN', ['!SUBJECT', 'two'], ['!SUBJECT', 'one']], ['three']],
    [
      [
        ['SINCE', '2026-01-01'],
        ['UID', '2:*'],
      ],
      ['two', 'three'],
    ],
    [[['KEYWORD', 'absent']], []],
    [
      [
        ['UNKEYWORD', 'absent'],
        ['LARGER', 1],
        ['SENTBEFORE', 'Jan 2, 2026'],
      ],
      ['one', 'two', 'three'],
    ],
    [['FLAGGED'], []],
  ])('selects mails by the rules %j', async (rules, subjects) => {
    await polls.send(mail('one'), mail('two'), mail('three', ['X-Own: yes']));
    expect(await polls.subjects(1, { options: { customEmailConfig: JSON.stringify(rules) } })).toEqual(subjects);
  });

  it.each([
    ['no', 'valid JSON'],
    ['{}', 'JSON array'],
    ['[]', 'JSON array'],
    ['["NEVER"]', 'not a known search key'],
    ['[["SUBJECT", "a\\r\\nb LOGOUT"]]', 'one line'],
    ['[["HEADER", "a b", "c"]]', 'name of a header'],
    ['[["SINCE", "soon"]]', 'needs a date'],
    ['[["UID", "1 2"]]', 'needs UIDs'],
    ['["UNSEEN", ["SEEN", 1]]', 'takes no value'],
  ])('rejects the rules %s', async (customEmailConfig, reason) => {
    for (const version of VERSIONS) {
      const { error } = await new Polls(server, client).run(version, { options: { customEmailConfig } });
      expect(error?.message).toContain(reason);
    }
  });

  it('leaves out mails before the day of the first poll', async () => {
    await polls.asOwner((owner) => owner.append('INBOX', mail('old'), [], new Date('2020-01-01')));
    expect(await polls.subjects(2.1)).toEqual([]);
    await polls.send(mail('new'));
    expect(await polls.subjects(2.1)).toEqual(['new']);
    expect(await polls.subjects(2.1)).toEqual([]);
  });

  it('outputs a mail again that was marked for a run that ended without its result', async () => {
    await polls.send(mail('one'));
    await polls.run(2.1, {}, { executionId: 'lost' });
    expect(await polls.seen()).toEqual([true]);
    polls.kept.firstResults.set('lost', 'missing');
    const { outputs } = await polls.run(2.1, {}, { executionId: 'next', now: Date.now() + 60_000 });
    expect(outputs[0]).toMatchObject([{ subject: 'one' }]);
    polls.kept.firstResults.set('next', 'stored');
    expect(await polls.subjects(2.1)).toEqual([]);
  });

  it('spreads many mails over runs, the oldest first', async () => {
    await polls.items(2.1);
    await polls.send(...Array.from({ length: 60 }, (_, index) => mail(`n${index}`)));
    const [first, second] = [await polls.subjects(2.1), await polls.subjects(2.1)];
    expect([first.length, second.length, second.at(-1)]).toEqual([50, 10, 'n59']);
  });

  it('starts over when the mailbox was recreated', async () => {
    const parameters = { mailbox: 'Orders' };
    const make = () => polls.asOwner((owner) => owner.mailboxCreate('Orders'));
    await make();
    await polls.asOwner((owner) => owner.append('Orders', mail('one')));
    expect(await polls.subjects(2.1, parameters)).toEqual(['one']);
    await polls.asOwner((owner) => owner.mailboxDelete('Orders'));
    await make();
    await polls.asOwner((owner) => owner.append('Orders', mail('two')));
    expect(await polls.subjects(2.1, parameters)).toEqual(['two']);
  });

  it('outputs the newest mail in a manual run, and changes nothing', async () => {
    await polls.send(mail('one'), mail('two'));
    const { outputs } = await polls.run(2.2, {}, { mode: 'manual', items: [{}] });
    expect(outputs[0]).toMatchObject([{ subject: 'two' }]);
    expect(await polls.seen()).toEqual([false, false]);
    expect(await polls.subjects(2.2)).toEqual(['one', 'two']);
  });

  it.each(VERSIONS)('version %s fails for a wrong password without repeating it', async (version) => {
    const wrong = await polls.run(version, {}, { credential: { password: 'wrong-password' } });
    expect(wrong.error?.message).toMatch(/^The mail server refused the login \(host "127.0.0.1"/);
    expect(JSON.stringify(wrong.error)).not.toContain('wrong-password');
  });

  it.each(VERSIONS)('version %s fails for a mailbox that does not exist, whatever its name', async (version) => {
    await polls.send(mail('one'));
    for (const mailbox of ['Absent', 'Absent" "x', '../../etc/passwd', 'a*', 'Grüße & co']) {
      const absent = await new Polls(server, client).run(version, { mailbox });
      expect(absent.error?.message).toMatch(/^The mail server refused a command/);
    }
    expect(await polls.seen()).toEqual([false]);
  });

  it('does not reach a private address, and reports a dead server', async () => {
    const strict = createOutboundClient({ allow: [] });
    const refused = await new Polls(server, strict).run(2.2);
    strict.close();
    expect(refused.error?.message).toContain('127.0.0.1');
    const dead = await polls.run(2.2, {}, { credential: { port: 1 } });
    expect(dead.error?.message).toContain('refused the connection');
  });

  describe('alongside a hostile server', () => {
    let hostile: LocalServer;
    afterEach(() => hostile.close());

    it('reads a healthy one, and limits an endless line', async () => {
      hostile = await serveTcp((socket) => {
        const more = (): void => {
          while (!socket.destroyed && socket.write('* '.padEnd(65_536, 'x')));
        };
        socket.on('drain', more);
        more();
      });
      await polls.send(mail('one'));
      const [bad, good] = await Promise.all([
        new Polls(server, client).run(2.2, {}, { credential: { port: hostile.port } }),
        polls.subjects(2.2),
      ]);
      expect(bad.error?.message).toMatch(/sent more than may be read/);
      expect(good).toEqual(['one']);
    });
  });
});
