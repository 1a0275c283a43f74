import { credentials, type ChannelCredentials, type ChannelOptions } from '@grpc/grpc-js';

/** Certificates of a connection, as PEM. */
export interface TlsOptions {
  /** Certificates of the authorities that may have signed the server's; those that Node trusts by default. */
  readonly ca?: string | Uint8Array;
  /** Certificate of this client, with `key`: services with certificates refuse clients without. */
  readonly cert?: string | Uint8Array;
  readonly key?: string | Uint8Array;
  /** Name in the certificate of the server, such as `weft-executions`; without, the host of the target. */
  readonly serverName?: string;
}

/** Settings of a connection. */
export interface ConnectOptions {
  /** `HOST:PORT` of a service, such as `127.0.0.1:7002`, or `dns:///NAME:PORT` for all replicas behind a name. */
  readonly target: string;
  readonly apiKey: string;
  /** Without it, the connection is plain text: only for loopback and networks that you trust. */
  readonly tls?: TlsOptions;
  /** Milliseconds that a call may take, unless it sets its own; 30,000 by default. */
  readonly deadlineMs?: number;
}

/** Largest response in bytes: a definition of 10 MB, or a run that was waited for. grpc-js allows 4 MiB. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** A name such as `dns:///weft-executions.weft.svc:7002` has an address for each replica: calls alternate. */
const SERVICE_CONFIG = JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] });
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** Checks what users misspell. @throws TypeError that says what to do */
export const checkOptions = ({ target, apiKey, tls }: ConnectOptions): void => {
  if (target === '') throw new TypeError('target is required, such as 127.0.0.1:7002.');
  if (/^https?:/.test(target))
    throw new TypeError(`target must be HOST:PORT without http, such as 127.0.0.1:7002; it is ${target}.`);
  if (!VISIBLE_ASCII.test(apiKey)) throw new TypeError('apiKey must be an API key, without spaces and line breaks.');
  if ((tls?.cert === undefined) !== (tls?.key === undefined))
    throw new TypeError('tls.cert and tls.key must be set together.');
};

const bytesOf = (pem: string | Uint8Array | undefined): Buffer | null =>
  pem === undefined ? null : typeof pem === 'string' ? Buffer.from(pem) : Buffer.from(pem);

/** Credentials of the channel. @throws Error if a certificate cannot be read */
export const channelCredentials = ({ tls }: ConnectOptions): ChannelCredentials =>
  tls === undefined
    ? credentials.createInsecure()
    : credentials.createSsl(bytesOf(tls.ca), bytesOf(tls.key), bytesOf(tls.cert));

/** Settings of the channel. */
export const channelOptions = ({ tls }: ConnectOptions): ChannelOptions => ({
  'grpc.max_receive_message_length': MAX_RESPONSE_BYTES,
  'grpc.service_config': SERVICE_CONFIG,
  ...(tls?.serverName === undefined
    ? {}
    : { 'grpc.ssl_target_name_override': tls.serverName, 'grpc.default_authority': tls.serverName }),
});
