import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { certificate, privateKey } from '../../testing/test-certificate';

/** A mail accepted by a test server. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | undefined;
  readonly isEncrypted: boolean;
  /** The whole mail, with line breaks as \n. */
  readonly source: string;
}

/** A real SMTP server on 127.0.0.1. */
export interface TestMailServer {
  readonly port: number;
  readonly received: ReceivedMail[];
  /** Names of hosts that clients asked for when they began TLS. */
  readonly serverNames: (string | undefined)[];
  close(): Promise<void>;
}

/** Starts a server that accepts the login `user` with `s3cret-password`, and mail to all but `nobody@…`. */
export async function serveMail(options: SMTPServerOptions = {}): Promise<TestMailServer> {
  const received: ReceivedMail[] = [];
  const serverNames: (string | undefined)[] = [];
  const server = new SMTPServer({
    key: privateKey,
    cert: certificate,
    authOptional: true,
    disableReverseLookup: true,
    SNICallback: (name: string, done: (error: Error | null) => void) => {
      serverNames.push(name);
      done(null);
    },
    onAuth: ({ username, password }, _session, done) =>
      username === 'user' && password === 's3cret-password'
        ? done(null, { user: username })
        : done(new Error('Invalid login')),
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith('nobody@')
        ? done(Object.assign(new Error('No such user here'), { responseCode: 550 }))
        : done(),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: typeof session.user === 'string' ? session.user : undefined,
          isEncrypted: session.secure,
          source: Buffer.concat(chunks).toString().replaceAll('\r\n', '\n'),
        });
        done();
      });
    },
    ...options,
  });
  // Errors of a client's connection concern only that client.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    received,
    serverNames,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}
