import { type CallCredentials, ChannelCredentials, type ChannelOptions, experimental } from '@grpc/grpc-js';
import type { ServerCredentials } from '@grpc/grpc-js';
import type { Socket } from 'node:net';
import { messageOf } from '../errors';
import { createFaultLog, type FaultLog, type Logger } from '../logging';
import { createGauge } from '../metrics';
import { readCertificates, type TlsSettings } from './certificates';
import { LiveCertificates } from './live-certificates';

/** Mutual TLS with the current certificates. */
export interface SecureTransport {
  readonly server: ServerCredentials;
  readonly client: ChannelCredentials;
  /** Stops taking over changed certificates. */
  readonly close: () => void;
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? `${String(error.code)}: ${messageOf(error)}` : messageOf(error);

/** Client credentials that log why a server was not trusted: a failed call only reports "unavailable". */
class ExplainedCredentials extends ChannelCredentials {
  readonly #inner: ChannelCredentials;
  readonly #logger: Logger;
  /** By the server name that was verified. */
  readonly #faults = new Map<string, FaultLog>();

  constructor(inner: ChannelCredentials, logger: Logger) {
    super();
    this.#inner = inner;
    this.#logger = logger;
  }

  override _isSecure(): boolean {
    return true;
  }

  override _equals(other: ChannelCredentials): boolean {
    return other === this;
  }

  override _createSecureConnector(
    target: experimental.GrpcUri,
    options: ChannelOptions,
    callCredentials?: CallCredentials,
  ): experimental.SecureConnector {
    const connector = this.#inner._createSecureConnector(target, options, callCredentials);
    const name = options['grpc.ssl_target_name_override'] ?? target.path;
    const faults = this.#faultsOf(name);
    return {
      waitForReady: () => connector.waitForReady(),
      getCallCredentials: () => connector.getCallCredentials(),
      destroy: () => connector.destroy(),
      connect: async (socket: Socket) => {
        const address = `${socket.remoteAddress}:${socket.remotePort}`;
        try {
          const connected = await connector.connect(socket);
          faults.worked();
          return connected;
        } catch (error) {
          faults.failed({ server: name, address, reason: reasonOf(error) });
          throw error;
        }
      },
    };
  }

  #faultsOf(name: string): FaultLog {
    const faults = this.#faults.get(name) ?? createFaultLog(this.#logger, 'no TLS connection to a server');
    this.#faults.set(name, faults);
    return faults;
  }
}

/**
 * Mutual TLS with the certificates of these settings.
 * @param pollMs interval at which the settings are checked for changes
 */
export const createSecureTransport = (settings: TlsSettings, logger: Logger, pollMs?: number): SecureTransport => {
  const certificates = new LiveCertificates(settings, pollMs);
  return {
    server: experimental.createCertificateProviderServerCredentials(certificates, certificates, true),
    client: new ExplainedCredentials(
      experimental.createCertificateProviderChannelCredentials(certificates, certificates),
      logger,
    ),
    close: () => certificates.close(),
  };
};

const certificateEnd = createGauge({
  name: 'weft_certificate_end_timestamp_seconds',
  help: 'Expiry of the certificate that this process presents over gRPC, in Unix seconds.',
  labels: {},
});

let ofProcess: SecureTransport | undefined;

/**
 * Secures every gRPC server and client that this process creates from now on, if the settings have certificates. A
 * setting of the whole process, like logs and traces, so that no client can be created without it.
 */
export const secureProcess = (settings: TlsSettings, logger: Logger): void => {
  if (settings.grpcTlsCert === '') return;
  ofProcess = createSecureTransport(settings, logger);
  certificateEnd.read(() => [[{}, readCertificates(settings.grpcTlsCert)[0].validToDate.getTime() / 1_000]]);
};

/** The mutual TLS of this process; undefined: connections are plain text. */
export const processTransport = (): SecureTransport | undefined => ofProcess;
