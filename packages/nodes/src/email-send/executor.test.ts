import type { JsonObject } from '@weft/node-catalogue';
import { MailFailed, OutboundRefused } from '@weft/outbound';
import { memoryFiles } from '@weft/engine/testing';
import { type KindRun, type KindResult, runKind } from '../testing/cases/run-kind';
import { mailServerOf } from './mail-server';
import { messageIdOf } from './message-id';
import { RECEIPT, recordingSender, type RecordingSender } from './testing/recording-sender';

const PARAMETERS = {
  fromEmail: 'from@example.com',
  toEmail: 'to@example.org',
  subject: 'Hi',
  text: 'Hello',
  html: '<b>Hello</b>',
};

const send = (sender: RecordingSender, parameters: JsonObject = {}, over: Partial<KindRun> = {}): Promise<KindResult> =>
  runKind('emailSend', {
    version: 2.1,
    mail: sender,
    credential: { host: 'mail.example.com', port: 465, secure: true, user: 'u', password: 'p' },
    node: { credentials: { smtp: { id: 'c1', name: 'Mail' } } },
    parameters: { ...PARAMETERS, ...parameters },
    ...over,
  });
const sentBy = async (parameters: JsonObject, over: Partial<KindRun> = {}) => {
  const sender = recordingSender();
  const { error } = await send(sender, parameters, over);
  const [one] = sender.sent;
  if (one === undefined) throw new Error(error?.message ?? 'Nothing was sent.');
  return one;
};

describe('emailSend', () => {
  it.each([
    [1, {}, { text: 'Hello', html: '<b>Hello</b>' }],
    [1, { html: '' }, { text: 'Hello' }],
    [2, {}, { text: 'Hello' }],
    [2.1, {}, { html: '<b>Hello</b>' }],
    [2.1, { emailFormat: 'text' }, { text: 'Hello' }],
    [2, { emailFormat: 'both' }, { text: 'Hello', html: '<b>Hello</b>' }],
  ])('version %s with %j sends %j', async (version, parameters, body) => {
    const { mail } = await sentBy(parameters, { version });
    expect({ text: mail.text, html: mail.html }).toEqual({ text: undefined, html: undefined, ...body });
  });

  it.each([1, 2, 2.1])('version %s supports copies, reply addresses and files', async (version) => {
    const files = memoryFiles();
    const binary = {
      data: await files.store(Buffer.from('abc'), { mimeType: 'text/plain', fileName: 'a.txt' }),
      other: await files.store(Buffer.from('x'), { mimeType: 'image/png' }),
    };
    const more = { ccEmail: 'c@example.org', bccEmail: 'b@example.org', attachments: 'data, other' };
    const { mail } = await sentBy(
      version === 1
        ? { ...more, options: { replyTo: 'r@example.org' } }
        : { options: { ...more, replyTo: 'r@example.org', appendAttribution: true } },
      { version, files, binary },
    );
    expect(mail).toMatchObject({ cc: 'c@example.org', bcc: 'b@example.org', replyTo: 'r@example.org' });
    expect(mail.attachments).toEqual([
      { fileName: 'a.txt', mimeType: 'text/plain', content: Buffer.from('abc'), contentId: 'data' },
      { fileName: 'unknown', mimeType: 'image/png', content: Buffer.from('x'), contentId: 'other' },
    ]);
    expect(JSON.stringify([mail.text, mail.html])).not.toMatch(/sent automatically/i);
  });

  it('reports a file that the item does not have', async () => {
    expect((await send(recordingSender(), { options: { attachments: 'nope' } })).error?.message).toBe(
      "This operation expects the node's input data to contain a binary file 'nope', but none was found [item 0]",
    );
  });

  it.each([
    ['fromEmail', 'a@example.com\r\nBcc: victim@example.org'],
    ['toEmail', 'a@example.com\nBcc: victim@example.org'],
    ['subject', 'Hi\r\nBcc: victim@example.org'],
    ['subject', 'Hi\n\nBcc:victim@example.org'],
    ['options', { replyTo: 'a@example.com\rX: y' }],
    ['options', { ccEmail: 'a@example.com\u0000' }],
  ])('rejects headers injected through %s', async (name, value) => {
    const sender = recordingSender();
    expect((await send(sender, { [name]: value })).error?.message).toMatch(/line break/);
    expect(sender.sent).toEqual([]);
  });

  it('reads line breaks between addresses and within a subject as spaces', async () => {
    const { mail } = await sentBy({
      toEmail: ' a@example.org,\n  B Two <b@example.org>;\r\nc@example.org \n',
      subject: 'Two\nlines ',
    });
    expect(mail).toMatchObject({ to: 'a@example.org, B Two <b@example.org>; c@example.org', subject: 'Two lines' });
  });

  it('uses the same Message-ID on every attempt, and a different one for every mail', async () => {
    const sender = recordingSender();
    const items = [{}, {}];
    for (let n = 0; n < 2; n += 1) await send(sender, {}, { items });
    const ids = sender.sent.map(({ mail }) => mail.messageId);
    expect(ids[0]).toMatch(/^<[0-9a-f]{40}@example\.com>$/);
    expect([ids[2], ids[3]]).toEqual([ids[0], ids[1]]);
    expect(new Set(ids).size).toBe(2);
    expect(messageIdOf('e', 'n', 0, 0, 'no address')).toMatch(/@weft\.invalid>$/);
  });

  it('stops at the first mail that fails, since mails cannot be recalled', async () => {
    const sender = recordingSender((mail) => {
      if (mail.to === 'bad@example.org') throw new MailFailed('The mail server refused the mail', 'EMESSAGE', 554);
      return RECEIPT;
    });
    const { error } = await send(
      sender,
      { toEmail: '={{ $json.to }}' },
      { items: [{ to: 'a@example.org' }, { to: 'bad@example.org' }, { to: 'c@example.org' }] },
    );
    expect(error).toMatchObject({
      message: 'The mail server refused the mail',
      context: { code: 'EMESSAGE', responseCode: 554, itemIndex: 1 },
    });
    expect(sender.sent).toHaveLength(2);
  });

  it('reports a server that must not be reached', async () => {
    const { error } = await send(
      recordingSender(() => {
        throw new OutboundRefused('private-address', 'Requests to "x" are refused');
      }),
    );
    expect(error).toMatchObject({ message: 'Requests to "x" are refused', context: { code: 'REFUSED' } });
  });

  it('reports which recipients were refused', async () => {
    const { outputs } = await send(
      recordingSender(() => ({
        ...RECEIPT,
        rejected: ['n@example.org'],
        refusals: [{ recipient: 'n@example.org', response: '550 no', responseCode: 550 }],
      })),
    );
    expect(outputs[0]?.[0]).toMatchObject({
      rejected: ['n@example.org'],
      rejectedErrors: [{ recipient: 'n@example.org', response: '550 no', responseCode: 550 }],
    });
  });
});

describe('the server of an smtp credential', () => {
  it('uses TLS from the start on port 465 by default', () => {
    expect(mailServerOf({ host: ' mail.example.com ' }, false)).toEqual({
      host: 'mail.example.com',
      port: 465,
      secure: true,
      ignoreStartTls: false,
      allowUnauthorizedCerts: false,
    });
    expect(
      mailServerOf(
        { host: 'm', port: '587', secure: false, disableStartTls: true, user: 'u', password: 'p', hostName: 'me' },
        true,
      ),
    ).toEqual({
      host: 'm',
      port: 587,
      secure: false,
      ignoreStartTls: true,
      login: { user: 'u', password: 'p' },
      clientName: 'me',
      allowUnauthorizedCerts: true,
    });
    expect(mailServerOf({ host: 'm', secure: true, disableStartTls: true }, false).ignoreStartTls).toBe(false);
  });

  it.each([[{}], [{ host: '' }], [{ host: 'm', port: 0 }], [{ host: 'm', port: 'x' }]])('rejects %j', (data) => {
    expect(() => mailServerOf(data, false)).toThrow(/smtp credential/);
  });
});
