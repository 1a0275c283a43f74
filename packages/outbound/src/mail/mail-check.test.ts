import type { SMTPServerOptions } from 'smtp-server';
import { createOutboundClient } from '../http/outbound-client';
import { MailFailed, type MailServer } from './mail';
import { createMailCheck } from './mail-sender';
import { serveMail, type TestMailServer } from './testing/mail-server';

describe('the check of a mail server', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  const serve = async (disabledCommands: readonly string[]): Promise<TestMailServer> => {
    const options: SMTPServerOptions = { disabledCommands: [...disabledCommands] };
    const server = await serveMail(options);
    open.push(server);
    return server;
  };
  const check = (port: number, password: string): Promise<void> => {
    const client = createOutboundClient({ allow: ['127.0.0.0/8'] });
    open.push(client);
    const server: MailServer = {
      ...{ host: '127.0.0.1', port, secure: false, ignoreStartTls: true, allowUnauthorizedCerts: false },
      login: { user: 'user', password },
    };
    return createMailCheck(client.openSocket)(server, new AbortController().signal);
  };

  it('accepts the right login, and sends nothing', async () => {
    const server = await serve(['STARTTLS']);
    await expect(check(server.port, 's3cret-password')).resolves.toBeUndefined();
    expect(server.received).toEqual([]);
  });

  it('fails with a wrong one', async () => {
    const { port } = await serve(['STARTTLS']);
    await expect(check(port, 'another')).rejects.toThrow(MailFailed);
  });

  it('fails at a server that never asks for a login', async () => {
    const { port } = await serve(['STARTTLS', 'AUTH']);
    await expect(check(port, 's3cret-password')).rejects.toThrow(MailFailed);
  });
});
