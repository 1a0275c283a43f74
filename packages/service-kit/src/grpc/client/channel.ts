import type { ChannelOptions } from '@grpc/grpc-js';

/** Maximum message size in either direction: a body of 10 MB with room for its metadata. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/**
 * HTTP/2 window: bytes that a peer may send without an acknowledgement. The default of 64 KiB makes large bodies slow
 * over a network.
 */
export const WINDOW_BYTES = 4 * 1024 * 1024;

/**
 * Options of every server. The connection age makes clients resolve new replicas, which are used within 30 s; calls in
 * flight then have the grace period to end. No keepalives: a connection closes before its first one, and grpc-js treats
 * a ping that Node does not send after that as a lost connection (grpc/grpc-node#3068).
 */
export const SERVER_OPTIONS: ChannelOptions = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_concurrent_streams': 10_000,
  'grpc.max_connection_age_ms': 25_000,
  'grpc.max_connection_age_grace_ms': 60_000,
};

/** A method whose calls may be retried when the transport failed before a response arrived. */
export interface RetriedMethod {
  readonly service: string;
  readonly method: string;
}

/** Connection options of a client. */
export interface ConnectionChoice {
  /** True: do not share connections with other clients of the same target. */
  readonly ownConnection?: boolean;
  /** Target whose host must be named in the server's certificate. */
  readonly certifiedAs?: string;
}

/** Only for host names: a server called by its IP address proves the address itself. */
const nameOverride = (target: string): ChannelOptions => {
  const [, name] = /^(?:dns:(?:\/\/[^/]*\/)?)?([^/:]+):\d+$/.exec(target) ?? [];
  return name === undefined ? {} : { 'grpc.ssl_target_name_override': name };
};

/**
 * Options of every client: round-robin over the replicas of a target, keepalives, and no proxies from the environment.
 * @param retried methods that are safe to retry, as their proto comments promise
 */
export const clientOptions = (
  retried: readonly RetriedMethod[],
  { ownConnection = false, certifiedAs = '' }: ConnectionChoice = {},
): ChannelOptions => ({
  ...(ownConnection ? { 'grpc.use_local_subchannel_pool': 1 } : {}),
  ...nameOverride(certifiedAs),
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.enable_http_proxy': 0,
  // Otherwise a second lost connection waits up to 30 s before it resolves the new replicas.
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  // Otherwise each resolution also asks the DNS, even outside the cluster, for a TXT record with settings.
  'grpc.service_config_disable_resolution': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  'grpc-node.flow_control_window': WINDOW_BYTES,
  'grpc.service_config': JSON.stringify({
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig:
      retried.length === 0
        ? []
        : [
            {
              name: retried,
              retryPolicy: {
                maxAttempts: 3,
                initialBackoff: '0.05s',
                maxBackoff: '0.5s',
                backoffMultiplier: 2,
                retryableStatusCodes: ['UNAVAILABLE'],
              },
            },
          ],
  }),
});
