import type { JsonMap } from '../chart/json';

/** Values that the chart must refuse, and what the message says. */
export interface Rejection {
  readonly what: string;
  readonly values: JsonMap;
  readonly says: RegExp;
}

const ok = { publicUrl: 'https://weft.our.example', image: { registry: 'registry.our.example/weft' } } as const;

/** The wrong values, each with its message. */
export const REJECTIONS: readonly Rejection[] = [
  { what: 'no registry', values: { publicUrl: ok.publicUrl }, says: /Set image\.registry to the registry and folder/ },
  { what: 'no public address', values: { image: ok.image }, says: /Set publicUrl to the address of the gateway/ },
  {
    what: 'an address without a scheme',
    values: { ...ok, publicUrl: 'weft.our.example' },
    says: /'\/publicUrl'.*does not match pattern/,
  },
  {
    what: 'an address with a path',
    values: { ...ok, publicUrl: 'https://our.example/weft' },
    says: /'\/publicUrl'.*does not match pattern/,
  },
  {
    what: 'a tag within the registry',
    values: { ...ok, image: { registry: 'registry.our.example/weft:1' } },
    says: /'\/image\/registry'.*does not match pattern/,
  },
  {
    what: 'an unknown profile',
    values: { ...ok, profile: 'tiny' },
    says: /'\/profile'.*must be one of 'production', 'small'/,
  },
  {
    what: 'a misspelt value',
    values: { ...ok, gateway: { replica: 3 } },
    says: /'\/gateway'.*additional properties 'replica' not allowed/,
  },
  { what: 'an unknown section', values: { ...ok, gatway: {} }, says: /additional properties 'gatway' not allowed/ },
  {
    what: 'a setting that is a number',
    values: { ...ok, gateway: { config: { TRUST_PROXY: 1 } } },
    says: /'\/gateway\/config\/TRUST_PROXY'.*got number, want string or null|got number, want null or string/,
  },
  {
    what: 'a setting in lower case',
    values: { ...ok, runner: { config: { log_level: 'debug' } } },
    says: /'log_level' does not match pattern/,
  },
  {
    what: 'a digest in another form',
    values: { ...ok, gateway: { digest: 'latest' } },
    says: /'\/gateway\/digest'.*does not match pattern/,
  },
  {
    what: 'a Gateway without a class',
    values: { ...ok, gatewayApi: { enabled: true } },
    says: /Set gatewayApi\.className/,
  },
  { what: 'an Ingress without a class', values: { ...ok, ingress: { enabled: true } }, says: /Set ingress\.className/ },
  {
    what: 'an external NATS without an address',
    values: { ...ok, nats: { mode: 'external' } },
    says: /Set nats\.url to the address of your NATS/,
  },
  {
    what: 'an address of NATS that is not used',
    values: { ...ok, nats: { url: 'nats://other:4222' } },
    says: /nats\.url is only for nats\.mode external/,
  },
  {
    what: 'an address of NATS without a scheme',
    values: { ...ok, nats: { mode: 'external', url: 'other:4222' } },
    says: /'\/nats\/url'.*does not match pattern/,
  },
  {
    what: 'security for a single NATS',
    values: { ...ok, nats: { mode: 'single', security: { enabled: true } } },
    says: /nats\.security is for nats\.mode cluster/,
  },
  {
    what: 'a certificate for NATS without TLS',
    values: { ...ok, nats: { security: { certificate: { enabled: true } } } },
    says: /needs nats\.security\.enabled=true/,
  },
  {
    what: 'certificates without TLS between services',
    values: { ...ok, mutualTls: { certificates: { enabled: true } } },
    says: /needs mutualTls\.enabled=true/,
  },
  {
    what: 'gRPC clients without policies',
    values: { ...ok, networkPolicies: { enabled: false }, grpcClients: { enabled: true } },
    says: /grpcClients needs networkPolicies\.enabled=true/,
  },
  {
    what: 'a certificate for clients without TLS between services',
    values: { ...ok, grpcClients: { certificate: { enabled: true } } },
    says: /grpcClients\.certificate needs mutualTls/,
  },
  {
    what: 'autoscaling of the small profile',
    values: { ...ok, profile: 'small', autoscaling: { enabled: true } },
    says: /autoscaling needs profile=production/,
  },
  {
    what: 'alerts without runbooks',
    values: { ...ok, monitoring: { enabled: true } },
    says: /Set monitoring\.runbooks/,
  },
  {
    what: 'external secrets without a store',
    values: { ...ok, externalSecrets: { enabled: true } },
    says: /Set externalSecrets\.store\.name/,
  },
  {
    what: 'a volume size without a unit',
    values: { ...ok, backUp: { storage: '20' } },
    says: /'\/backUp\/storage'.*does not match pattern/,
  },
];
