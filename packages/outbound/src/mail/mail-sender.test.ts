import { closeAfterEach } from '@weft/service-kit/testing';
import { type Mail, MailFailed, type MailServer } from './mail';
import { OutboundError, OutboundRefused } from '../http/outbound-http';
import { createOutboundClient, type OutboundClient } from '../http/outbound-client';
import { type LocalServer, serveTcp } from '../testing/local-server';
import { serveProxy } from '../testing/proxy-server';
import type { MailBounds } from './mail-bounds';
import { createMailSender } from './mail-sender';
import { serveMail, type TestMailServer } from './testing/mail-server';

const never = new AbortController().signal;
const MAIL: Mail = {
  messageId: '<abc@example.com>',
  date: new Date(0),
  from: 'Ada <ada@example.com>',
  to: 'bob@example.org',
  subject: 'Grüße',
  text: 'Hello\n.\nthere',
  attachments: [],
};

describe('the mail sender', () => {
  const later = closeAfterEach();
  let server: TestMailServer;
  const started = async <T extends { close(): unknown }>(starting: Promise<T>): Promise<T> =>
    later(await starting, (open) => open.close());
  const clientFor = (allow: readonly string[], proxy = ''): OutboundClient => {
    const client = createOutboundClient({ allow, proxy, resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    return later(client, (open) => open.close());
  };
  const at = (port: number, over: Partial<MailServer> = {}): MailServer => ({
    host: 'mail.example',
    port,
    secure: false,
    ignoreStartTls: false,
    allowUnauthorizedCerts: true,
    ...over,
  });
  const senderWith = (bounds?: Partial<MailBounds>) =>
    createMailSender(clientFor(['mail.example']).openSocket, {
      greetingMs: 5_000,
      silenceMs: 5_000,
      totalMs: 8_000,
      ...bounds,
    });
  const failureOf = async (sending: Promise<unknown>): Promise<MailFailed | OutboundError> => {
    const error: unknown = await sending.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof MailFailed || error instanceof OutboundError) return error;
    throw new Error(`Expected the mail to fail, not ${String(error)}`);
  };

  beforeEach(async () => {
    server = await started(serveMail());
  });

  it('upgrades by STARTTLS, logs in, and sends the mail unchanged', async () => {
    const receipt = await senderWith().send(
      at(server.port, { login: { user: 'user', password: 's3cret-password' }, clientName: 'weft.example' }),
      MAIL,
      never,
    );
    expect(receipt).toMatchObject({
      accepted: ['bob@example.org'],
      rejected: [],
      refusals: [],
      envelope: { from: 'ada@example.com', to: ['bob@example.org'] },
    });
    expect(receipt.response).toMatch(/^250/);
    expect(receipt.messageSize).toBeGreaterThan(100);
    const [mail] = server.received;
    expect(mail).toMatchObject({ from: 'ada@example.com', to: ['bob@example.org'], user: 'user', isEncrypted: true });
    expect(mail?.source).toContain('Message-ID: <abc@example.com>');
    expect(mail?.source).toContain('Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=');
    expect(mail?.source).toContain('Date: Thu, 01 Jan 1970 00:00:00 +0000');
    expect(mail?.source).toMatch(/\n\nHello\n\.\nthere/);
    expect(mail?.source).not.toMatch(/mailer/i);
  });

  it('asks for the host by its name in TLS, although it connects to a checked address', async () => {
    await senderWith().send(at(server.port), MAIL, never);
    expect(server.serverNames).toEqual(['mail.example']);
  });

  it('speaks TLS from the first byte, or not at all, as the credential says', async () => {
    const secure = await started(serveMail({ secure: true }));
    await senderWith().send(at(secure.port, { secure: true }), MAIL, never);
    expect(secure.received[0]?.isEncrypted).toBe(true);
    await senderWith().send(at(server.port, { ignoreStartTls: true }), MAIL, never);
    expect(server.received[0]?.isEncrypted).toBe(false);
  });

  it('writes text, HTML and files, and omits blind copies from the headers', async () => {
    const bytes = Buffer.from([0, 1, 2, 255]);
    await senderWith().send(
      at(server.port),
      {
        ...MAIL,
        cc: 'c1@example.org, C Two <c2@example.org>',
        bcc: 'secret@example.org',
        replyTo: 'answers@example.com',
        html: '<b>hi</b><img src="cid:logo">',
        attachments: [{ fileName: 'lögo.png', mimeType: 'image/png', content: bytes, contentId: 'logo' }],
      },
      never,
    );
    const [mail] = server.received;
    expect(mail?.to).toEqual(['bob@example.org', 'c1@example.org', 'c2@example.org', 'secret@example.org']);
    expect(mail?.source).not.toContain('secret@example.org');
    for (const part of [
      'Reply-To: answers@example.com',
      'Content-Type: text/plain',
      'Content-Type: text/html',
      'Content-ID: <logo>',
      'Content-Type: image/png',
      bytes.toString('base64'),
    ])
      expect(mail?.source).toContain(part);
  });

  it('reports which recipients the server refused, and fails if it refused all', async () => {
    const receipt = await senderWith().send(
      at(server.port),
      { ...MAIL, to: 'bob@example.org, nobody@example.org' },
      never,
    );
    expect(receipt).toMatchObject({
      accepted: ['bob@example.org'],
      rejected: ['nobody@example.org'],
      refusals: [{ recipient: 'nobody@example.org', responseCode: 550 }],
    });
    const error = await failureOf(senderWith().send(at(server.port), { ...MAIL, to: 'nobody@example.org' }, never));
    expect(error).toMatchObject({ code: 'EENVELOPE', responseCode: 550 });
    expect(error.message).toContain('No such user here');
    expect(server.received).toHaveLength(1);
  });

  it('reports a refused login, without the password', async () => {
    const error = await failureOf(
      senderWith().send(at(server.port, { login: { user: 'user', password: 'wrong-password' } }), MAIL, never),
    );
    expect(error).toMatchObject({ code: 'EAUTH', responseCode: 535 });
    expect(error.message).toMatch(/^The mail server refused the login \(host "mail.example": 535/);
    expect(error.message).not.toContain('wrong-password');
  });

  it('accepts a certificate that cannot be verified only on request', async () => {
    const error = await failureOf(senderWith().send(at(server.port, { allowUnauthorizedCerts: false }), MAIL, never));
    expect(error.message).toMatch(/^The connection to the mail server broke.*certificate.*Ignore SSL Issues/i);
    expect(server.received).toEqual([]);
  });

  it('advises on a port that does not speak TLS from the start', async () => {
    expect((await failureOf(senderWith().send(at(server.port, { secure: true }), MAIL, never))).message).toMatch(
      /turn "secure" off/,
    );
  });

  describe('ends', () => {
    let silent: LocalServer;
    beforeEach(async () => {
      silent = await started(serveTcp(() => undefined));
    });

    it('with the time for the greeting, for everything, and with the run, and leaves no socket behind', async () => {
      expect(await failureOf(senderWith({ greetingMs: 100 }).send(at(silent.port), MAIL, never))).toMatchObject({
        code: 'ETIMEDOUT',
        message: expect.stringContaining('did not answer within 100 ms'),
      });
      expect(await failureOf(senderWith({ totalMs: 100 }).send(at(silent.port), MAIL, never))).toMatchObject({
        code: 'TIMEOUT',
      });
      const run = new AbortController();
      const sending = senderWith().send(at(silent.port), MAIL, run.signal);
      run.abort();
      expect(await failureOf(sending)).toMatchObject({ code: 'ABORTED' });
      const end = Date.now() + 30_000;
      while (silent.openSockets() > 0 && Date.now() < end)
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      expect(silent.openSockets()).toBe(0);
    });

    it('when the server falls silent in the middle', async () => {
      const stuck = await started(serveMail({ onMailFrom: () => undefined }));
      expect(await failureOf(senderWith({ silenceMs: 200 }).send(at(stuck.port), MAIL, never))).toMatchObject({
        code: 'ETIMEDOUT',
        message: expect.stringContaining('did not answer within 200 ms'),
      });
    });
  });

  it('cannot reach what the guard refuses', async () => {
    const strict = createMailSender(clientFor([]).openSocket);
    for (const host of ['mail.example', '127.0.0.1', '::1'])
      expect(await failureOf(strict.send(at(server.port, { host }), MAIL, never))).toBeInstanceOf(OutboundRefused);
    expect(await failureOf(senderWith().send(at(1), MAIL, never))).toMatchObject({
      code: 'CONNECTION_REFUSED',
      systemCode: 'ECONNREFUSED',
    });
  });

  it('goes through a tunnel of the egress proxy, past the same guard', async () => {
    const proxy = await started(serveProxy());
    const sender = createMailSender(clientFor(['mail.example'], proxy.url).openSocket);
    expect((await sender.send(at(server.port), MAIL, never)).accepted).toEqual(['bob@example.org']);
    expect(proxy.seen.map(({ line }) => line)).toEqual([`CONNECT 127.0.0.1:${server.port}`]);
    expect(
      await failureOf(
        createMailSender(clientFor([], proxy.url).openSocket).send(at(server.port, { host: '10.0.0.1' }), MAIL, never),
      ),
    ).toBeInstanceOf(OutboundRefused);
  });

  it('reads neither files nor addresses that a mail names', async () => {
    const sources = server.received;
    await senderWith().send(
      at(server.port),
      { ...MAIL, html: '<img src="file:///etc/passwd"><img src="http://127.0.0.1/">' },
      never,
    );
    expect(sources[0]?.source).toContain('file:///etc/passwd');
    expect(sources[0]?.source).not.toContain('root:');
  });
});
