import type { TokenSigner } from '@weft/service-kit/auth';

/** Where a service is, and how the gateway proves itself to it. */
export interface Peer {
  /** gRPC target. */
  readonly target: string;
  readonly sign: TokenSigner;
}
