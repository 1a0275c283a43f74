import { MAIL_BOUNDS, type MailBounds } from '../mail/mail-bounds';
import type { FtpServer, RemoteBounds, RemoteFiles, SshServer, SshSession } from './file-session';
import type { Mailbox, MailboxServer } from './mailbox';
import { withFtp } from './open-ftp';
import { type OpenSocket, withMailbox } from './open-mailbox';
import { withSsh } from './open-ssh';

/** Servers that nodes reach by protocols other than HTTP, through the same guard. */
export interface RemoteServers {
  /**
   * Opens a mailbox for `use`; the connection ends with that. @throws RemoteFailed, OutboundError, what `use` throws
   */
  mailbox<Result>(
    server: MailboxServer,
    name: string,
    signal: AbortSignal,
    use: (mailbox: Mailbox) => Promise<Result>,
  ): Promise<Result>;
  /** Logs in over SSH for `use`; the connection ends with that. @throws as above */
  ssh<Result>(
    server: SshServer,
    bounds: RemoteBounds,
    signal: AbortSignal,
    use: (session: SshSession) => Promise<Result>,
  ): Promise<Result>;
  /** Logs in over FTP for `use`; the connection ends with that. @throws as above */
  ftp<Result>(
    server: FtpServer,
    bounds: RemoteBounds,
    signal: AbortSignal,
    use: (files: RemoteFiles) => Promise<Result>,
  ): Promise<Result>;
}

/** Creates the clients of a process. They open sockets only through the guard. */
export function createRemoteServers(openSocket: OpenSocket, mailBounds: MailBounds = MAIL_BOUNDS): RemoteServers {
  return {
    mailbox: (server, name, signal, use) => withMailbox(openSocket, server, name, signal, use, mailBounds),
    ssh: (server, bounds, signal, use) => withSsh(openSocket, server, bounds, signal, use),
    ftp: (server, bounds, signal, use) => withFtp(openSocket, server, bounds, signal, use),
  };
}
