import { type JsonObject, textField } from '@weft/node-catalogue';
import { messageOf, NodeFailure } from '@weft/engine';
import { OutboundError, type RemoteBounds, RemoteFailed, type SshServer } from '@weft/outbound';
import { LIMITS } from '@weft/service-kit/limits';
import { pemField } from '../credentials/pem-field';
import { serverAddress } from '../sql/server-address';
import { connectMsOf } from '../sql/sql-failure';

const SSH_PORT = 22;
const STEP_MS = 300_000;
const SILENCE_MS = 60_000;
const MAX_ENTRIES = 10_000;

/** Limits of a session, with the connection timeout `ms` of at most one minute. */
export function remoteBoundsOf(ms: number): RemoteBounds {
  return {
    connectMs: connectMsOf(ms),
    stepMs: STEP_MS,
    silenceMs: SILENCE_MS,
    maxBytes: LIMITS.file.max,
    maxEntries: MAX_ENTRIES,
  };
}

/** The server in a credential for SSH or SFTP. @throws NodeFailure for invalid fields */
export function sshServerOf(type: string, data: JsonObject): SshServer {
  const field = (name: string): string => textField(data, name) ?? '';
  const hostFingerprint = field('hostFingerprint').trim();
  if (hostFingerprint !== '' && !/^SHA256:[A-Za-z0-9+/]{43}=?$/.test(hostFingerprint))
    throw new NodeFailure(`The hostFingerprint of the ${type} credential is not valid.`, {
      description: 'Use SHA256: and 43 characters, as "ssh-keyscan HOST | ssh-keygen -lf -" prints it.',
    });
  return {
    ...serverAddress(type, data, SSH_PORT),
    user: field('username'),
    password: field('password'),
    privateKey: pemField(data, 'privateKey') ?? '',
    passphrase: field('passphrase'),
    hostFingerprint,
  };
}

/** Converts an error of a server or its connection to a failure of the node. */
export function remoteNodeFailure(thrown: unknown, itemIndex?: number): NodeFailure {
  if (thrown instanceof NodeFailure) return thrown;
  const at = itemIndex === undefined ? {} : { itemIndex };
  return new NodeFailure(messageOf(thrown), { ...at, ...contextOf(thrown), cause: thrown });
}

function contextOf(thrown: unknown): { readonly context?: JsonObject } {
  if (thrown instanceof OutboundError) return { context: { code: thrown.systemCode ?? thrown.code } };
  if (thrown instanceof RemoteFailed) return { context: { code: thrown.serverCode ?? thrown.code } };
  return {};
}
