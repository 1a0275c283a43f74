import { connect } from 'node:net';
import { messageOf, StackError } from '../errors';

const LIMIT_MS = 5_000;
const DEFAULT_PORT = 4222;

/** Why no NATS server speaks there; undefined if one does. */
function tryServer(address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let url: URL;
    try {
      url = new URL(address);
    } catch {
      return resolve('is not a URL');
    }
    const socket = connect(Number(url.port || DEFAULT_PORT), url.hostname.replace(/^\[|\]$/g, ''));
    const end = (reason?: string): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.setTimeout(LIMIT_MS, () => end(`no answer within ${LIMIT_MS / 1000} s`));
    socket.once('error', (error) => end(messageOf(error)));
    // A server may be set up to speak TLS first: then it waits for the client.
    if (url.protocol === 'tls:') socket.once('connect', () => end());
    socket.once('data', (data) => end(data.toString().startsWith('INFO ') ? undefined : 'another program answers'));
    socket.once('close', () => end('it closed the connection'));
  });
}

/** Checks that one of the servers of `NATS_URL` answers. @throws StackError with the reason of each */
export async function checkNats(urls: string): Promise<void> {
  const servers = urls.split(',').map((address) => address.trim());
  const reasons = await Promise.all(servers.map(tryServer));
  if (reasons.includes(undefined)) return;
  // An address may carry a password.
  const shown = servers.map((server, index) => `${server.replace(/\/\/[^@/]*@/, '//***@')}: ${reasons[index]}`);
  throw new StackError(
    `No NATS server answers at NATS_URL (${shown.join('; ')}). Start it, correct NATS_URL, or unset it to ` +
      'have one set up.',
  );
}
