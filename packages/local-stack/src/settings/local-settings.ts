import { FIXED_PORTS, SERVICES, type ServiceName } from '../stack/services';

/** A variable that `npm start` itself reads. */
export interface LocalSetting {
  readonly variable: string;
  readonly default: string;
  /** One sentence for the reference. */
  readonly doc: string;
}

const NAMES: Readonly<Record<ServiceName, string>> = {
  gateway: 'the gateway (REST, webhooks and the console)',
  workflows: 'the workflows service (gRPC)',
  executions: 'the executions service (gRPC)',
  credentials: 'the credentials service (gRPC)',
  runner: 'the runner (gRPC)',
};

/** Variables of the ports, the folders and the servers of `npm start`; docs/configuration.md lists them. */
export const LOCAL_SETTINGS: readonly LocalSetting[] = [
  ...[...SERVICES].reverse().map((service) => ({
    variable: FIXED_PORTS[service].variable,
    default: String(FIXED_PORTS[service].port),
    doc: `Port of ${NAMES[service]} on 127.0.0.1.`,
  })),
  {
    variable: 'WEFT_DATA',
    default: '.weft in the checkout',
    doc: 'Folder of databases, secrets and logs. Two stacks at the same time need two folders, and other ports.',
  },
  {
    variable: 'WEFT_CACHE',
    default: '~/.cache/weft',
    doc: 'Folder of downloaded and built programs, which may be deleted. XDG_CACHE_HOME replaces ~/.cache.',
  },
  {
    variable: 'MONGODB_URI',
    default: 'empty',
    doc: 'MongoDB-compatible server to use. Empty: the stack starts one.',
  },
  { variable: 'NATS_URL', default: 'empty', doc: 'NATS server to use. Empty: the stack starts one.' },
  { variable: 'WEFT_OWNER_EMAIL', default: 'owner@weft.local', doc: 'Email of the owner.' },
  {
    variable: 'WEFT_OWNER_PASSWORD',
    default: 'random',
    doc: 'Password of the owner. The first start prints a random one, which secrets.json of the data folder keeps.',
  },
  {
    variable: 'WEFT_OWNER_API_KEY',
    default: 'random',
    doc: 'API key of the owner. A random one is stored in the data folder and printed at each start.',
  },
];

/** Variables of the command line, which may be set in the same shell. */
export const COMMAND_LINE_SETTINGS: readonly string[] = [
  'WEFT_URL',
  'WEFT_API_KEY',
  'WEFT_CONFIG',
  'WEFT_CONTEXT',
  'WEFT_CA',
];
