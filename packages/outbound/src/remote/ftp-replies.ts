import { FTPError, type FTPContext, type FTPResponse } from 'basic-ftp';
import { OutboundError } from '../http/outbound-http';
import type { FtpServer, RemoteBounds } from './file-session';
import { RemoteFailed, saidBy } from './remote-failure';

/** Code of the reply to EPSV, RFC 2428. */
export const EXTENDED = 229;

/** Requests a data port and returns the reply. */
export async function portOf(ftp: FTPContext, isExtended: boolean): Promise<readonly [FTPResponse, number]> {
  const response = isExtended
    ? await ftp.request('EPSV').catch((error: unknown) => {
        if (error instanceof FTPError) return ftp.request('PASV');
        throw error;
      })
    : await ftp.request('PASV');
  const [, extended, high, low] = /\(\|\|\|(\d{1,5})\||(?:\d{1,3},){4}(\d{1,3}),(\d{1,3})/.exec(response.message) ?? [];
  const port = extended === undefined ? Number(high) * 256 + Number(low) : Number(extended);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return [response, port];
  throw new OutboundError('PROTOCOL', 'The server names no port for the transfer.');
}

/** The library's message for a connection that was silent for too long. */
const SILENCE = /^Timeout \((control|data) socket\)/;

/** The server's reply, or the lack of one, as a message for the owner of the workflow. */
export async function refusing<Done>(
  { host }: FtpServer,
  { silenceMs }: RemoteBounds,
  code: 'login' | 'server',
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && SILENCE.test(error.message))
      throw new OutboundError('TIMEOUT', `The server was silent for ${silenceMs} ms (host "${host}").`, 'ETIMEDOUT');
    if (!(error instanceof FTPError)) throw error;
    const what = code === 'login' ? 'the login' : 'it';
    throw new RemoteFailed(`The server refused ${what} (host "${host}"${saidBy(error.message)}).`, code, error.code);
  }
}
