import type { Mailbox, MailboxServer } from './mailbox';
import { type OpenSocket, withMailbox } from './open-mailbox';

/** Servers that nodes reach by other protocols than HTTP, past the same guard. */
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
}

/** Makes the clients of a process. They open no sockets of their own. */
export function createRemoteServers(openSocket: OpenSocket): RemoteServers {
  return {
    mailbox: (server, name, signal, use) => withMailbox(openSocket, server, name, signal, use),
  };
}
