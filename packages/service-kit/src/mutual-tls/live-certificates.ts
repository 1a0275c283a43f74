import type { experimental } from '@grpc/grpc-js';
import type { TlsSettings } from './certificates';

/** Poll interval. The configuration decides when files are read; this only asks it. */
const POLL_MS = 1_000;

/**
 * Passes the certificates of the configuration to grpc-js, and changed ones when they arrive. The configuration accepts
 * new files only if they match. The file-watching provider of grpc-js would refuse every connection while a file is
 * missing, and could pair a new certificate with the previous key.
 */
export class LiveCertificates implements experimental.CertificateProvider {
  readonly #settings: TlsSettings;
  readonly #ofAuthorities = new Set<experimental.CaCertificateUpdateListener>();
  readonly #ofIdentity = new Set<experimental.IdentityCertificateUpdateListener>();
  readonly #timer: NodeJS.Timeout;
  #current: TlsSettings;

  constructor(settings: TlsSettings, pollMs = POLL_MS) {
    this.#settings = settings;
    this.#current = this.#read();
    this.#timer = setInterval(() => this.#look(), pollMs).unref();
  }

  /** Stops polling. */
  close(): void {
    clearInterval(this.#timer);
  }

  addCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.#ofAuthorities.add(listener);
    // Deferred, as grpc-js expects: a new listener is not yet ready to be called.
    process.nextTick(() => this.#tellAuthorities(listener));
  }

  removeCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.#ofAuthorities.delete(listener);
  }

  addIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.#ofIdentity.add(listener);
    process.nextTick(() => this.#tellIdentity(listener));
  }

  removeIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.#ofIdentity.delete(listener);
  }

  #read(): TlsSettings {
    const { grpcTlsCert, grpcTlsKey, grpcTlsCa } = this.#settings;
    return { grpcTlsCert, grpcTlsKey, grpcTlsCa };
  }

  #look(): void {
    const found = this.#read();
    const { grpcTlsCert, grpcTlsKey, grpcTlsCa } = this.#current;
    const isOwn = found.grpcTlsCert === grpcTlsCert && found.grpcTlsKey === grpcTlsKey;
    const isCa = found.grpcTlsCa === grpcTlsCa;
    this.#current = found;
    if (!isCa) for (const listener of this.#ofAuthorities) this.#tellAuthorities(listener);
    if (!isOwn) for (const listener of this.#ofIdentity) this.#tellIdentity(listener);
  }

  #tellAuthorities(listener: experimental.CaCertificateUpdateListener): void {
    listener({ caCertificate: Buffer.from(this.#current.grpcTlsCa) });
  }

  #tellIdentity(listener: experimental.IdentityCertificateUpdateListener): void {
    const { grpcTlsCert, grpcTlsKey } = this.#current;
    listener({ certificate: Buffer.from(grpcTlsCert), privateKey: Buffer.from(grpcTlsKey) });
  }
}
