import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A mail that the server accepted. */
export interface AcceptedMail {
  readonly to: readonly string[];
  /** Headers and body, with the transfer encoding of strings removed. */
  readonly text: string;
}

/** A mail server of the test. */
export interface MailServer {
  readonly port: number;
  readonly accepted: readonly AcceptedMail[];
  readonly stop: () => Promise<void>;
}

const withoutQuotedPrintable = (text: string): string =>
  text.replaceAll('=\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

/** Speaks as much SMTP as a client needs that neither signs in nor uses TLS. */
const serve = (socket: Socket, accept: (mail: AcceptedMail) => void): void => {
  let to: string[] = [];
  let data: string[] | undefined;
  let rest = '';
  const reply = (text: string): void => void socket.write(`${text}\r\n`);
  const read = (line: string): void => {
    if (data !== undefined) {
      if (line !== '.') return void data.push(line.startsWith('.') ? line.slice(1) : line);
      accept({ to, text: withoutQuotedPrintable(data.join('\n')) });
      data = undefined;
      to = [];
      return reply('250 accepted');
    }
    const [, recipient] = /^RCPT TO:<([^>]+)>/i.exec(line) ?? [];
    if (recipient !== undefined) to.push(recipient);
    if (/^DATA/i.test(line)) {
      data = [];
      return reply('354 send it');
    }
    if (/^QUIT/i.test(line)) {
      reply('221 bye');
      return void socket.end();
    }
    return reply('250 ok');
  };
  socket.setEncoding('utf8');
  socket.on('error', () => undefined);
  socket.on('data', (part: string) => {
    const lines = `${rest}${part}`.split('\r\n');
    rest = lines.pop() ?? '';
    lines.forEach(read);
  });
  reply('220 mail server of a test');
};

/** Starts a mail server on a free port of 127.0.0.1. */
export const startMailServer = async (): Promise<MailServer> => {
  const accepted: AcceptedMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serve(socket, (mail) => void accepted.push(mail));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    accepted,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};
