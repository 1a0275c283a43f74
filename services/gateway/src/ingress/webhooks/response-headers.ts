/** Which headers the response of a workflow may have. */
export interface HeaderPolicy {
  /** True on a host that serves nothing but webhooks and forms, where a header can affect nothing else. */
  readonly isOwnHost: boolean;
  /** Lower-case names that the operator permits in addition. */
  readonly permitted: ReadonlySet<string>;
}

/** The policy of a host that also serves the console, without additions. */
export const CONSOLE_POLICY: HeaderPolicy = { isOwnHost: false, permitted: new Set() };

/** Headers between two hops (RFC 9110, 7.6.1), and those that frame the response. Workflows can never set them. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
]);

/**
 * Registered response headers whose effect is limited to the response itself. Others act on the whole host, on what the
 * browser sends to it later, or on its permissions, and new ones of that kind are registered every year.
 */
const RESPONSE_ONLY = new Set([
  'accept-patch',
  'accept-post',
  'accept-ranges',
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'age',
  'allow',
  'api-version',
  'authentication-info',
  'cache-control',
  'cache-status',
  'cdn-cache-control',
  'content-digest',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'deprecation',
  'digest',
  'etag',
  'expires',
  'idempotency-key',
  'last-modified',
  'link',
  'location',
  'mcp-protocol-version',
  'mcp-session-id',
  'mime-version',
  'odata-version',
  'permissions-policy',
  'pragma',
  'preference-applied',
  'proxy-status',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'referrer-policy',
  'refresh',
  'repr-digest',
  'request-id',
  'retry-after',
  'server',
  'server-timing',
  'set-cookie',
  'signature',
  'signature-input',
  'sourcemap',
  'sunset',
  'timing-allow-origin',
  'traceparent',
  'tracestate',
  'vary',
  'warning',
  'webhook-allowed-origin',
  'webhook-allowed-rate',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
  'www-authenticate',
]);

/** Headers of applications, which browsers ignore: private ones, those of htmx, and attributes of CloudEvents. */
const APPLICATION = /^(?:x|hx|ce)-/;

/** Exceptions: the header that guards every response, and those by which proxies fetch another address or file. */
const INTERPRETED = /^x-(?:content-type-options$|accel-redirect$|sendfile|lighttpd-send-file$|reproxy-)/;

/** Headers of the gateway, such as the id of the execution: workflows can never set them. */
const OWN = /^x-weft-/;

/** True if a workflow may set a header. @param name in lower case */
export const passes = (name: string, { isOwnHost, permitted }: HeaderPolicy): boolean => {
  if (HOP_BY_HOP.has(name) || OWN.test(name)) return false;
  if (isOwnHost || permitted.has(name)) return true;
  return RESPONSE_ONLY.has(name) || (APPLICATION.test(name) && !INTERPRETED.test(name));
};
