import { AppServiceService } from '@weft/proto/apps';
import { AuditServiceService } from '@weft/proto/audit';
import { ApiKeyServiceService, Role } from '@weft/proto/identity';
import { DeliveryServiceService } from '@weft/proto/deliveries';
import { DataTableServiceService } from '@weft/proto/data-tables';
import { OwnershipServiceService } from '@weft/proto/ownership';
import { ListeningServiceService } from '@weft/proto/listening';
import { ScheduleServiceService } from '@weft/proto/schedules';
import { VariableServiceService } from '@weft/proto/variables';
import { FileAreaServiceService } from '@weft/proto/file-area';
import { StateServiceService } from '@weft/proto/workflow-state';
import { WorkflowServiceService } from '@weft/proto/workflows';
import type { Principal, Role as RoleName } from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import {
  bindService,
  createCaller,
  type BoundService,
  type Calls,
  type ServiceDefinition,
} from '@weft/service-kit/grpc';
import type { RunningService } from '@weft/service-kit/lifecycle';
import {
  dropDatabase,
  makeTestKeys,
  testLogger,
  fakeProjects,
  startFakePeer,
  testMongodbUri,
  uniqueName,
  type FakePeer,
  type FakeProjects,
} from '@weft/service-kit/testing';
import { config } from '../../src/config';
import { createServer } from '../../src/server';
import { fakeCredentials, type FakeCredentials } from './fake-credentials';
import { startFakeExecutions, type FakeExecutions } from './fake-executions';

/** The service under test, with a separate database and fake peers at the gRPC level. */
export interface TestService {
  readonly database: string;
  readonly port: number;
  readonly executions: FakeExecutions;
  /** Projects and users that may own new objects. */
  readonly destinations: Set<string>;
  /** The projects of the credentials service. */
  readonly projects: FakeProjects;
  /** The credentials of the credentials service. */
  readonly credentials: FakeCredentials;
  /** Calls made by the gateway for a user. */
  readonly as: (userId: string, role: RoleName, ...projects: readonly string[]) => { readonly principal: Principal };
  /** Calls of the gateway. */
  readonly gateway: Calls<typeof WorkflowServiceService>;
  /** Calls of the executions service. */
  readonly fromExecutions: Calls<typeof WorkflowServiceService>;
  /** Calls of the runner, which must be refused. */
  readonly fromRunner: Calls<typeof WorkflowServiceService>;
  /** Calls of a runner. */
  readonly state: Calls<typeof StateServiceService>;
  /** Calls of a runner. */
  readonly files: Calls<typeof FileAreaServiceService>;
  /** Calls of the gateway for users. */
  readonly filesForUsers: Calls<typeof FileAreaServiceService>;
  /** State calls made by the gateway, which must be refused. */
  readonly stateFromGateway: Calls<typeof StateServiceService>;
  /** Calls of the gateway for users. */
  readonly apps: Calls<typeof AppServiceService>;
  /** Calls of a runner. */
  readonly appsForRuns: Calls<typeof AppServiceService>;
  /** Calls of the gateway for users. */
  readonly variables: Calls<typeof VariableServiceService>;
  /** Calls of a runner. */
  readonly variablesForRuns: Calls<typeof VariableServiceService>;
  /** Calls of the gateway for users. */
  readonly dataTables: Calls<typeof DataTableServiceService>;
  /** Calls of a runner. */
  readonly dataTablesForRuns: Calls<typeof DataTableServiceService>;
  /** Calls of the gateway, for itself and for users. */
  readonly deliveries: Calls<typeof DeliveryServiceService>;
  /** Calls of the gateway, for itself and for users. */
  readonly listening: Calls<typeof ListeningServiceService>;
  /** Calls of the gateway for users. */
  readonly schedules: Calls<typeof ScheduleServiceService>;
  /** Calls of the gateway for users. */
  readonly audit: Calls<typeof AuditServiceService>;
  /** Calls of the credentials service. */
  readonly ownership: Calls<typeof OwnershipServiceService>;
  /** The same calls made by the gateway, which must be refused. */
  readonly ownershipFromGateway: Calls<typeof OwnershipServiceService>;
  /** Starts another replica on the same database; returns the gateway's calls to it. */
  readonly addReplica: () => Promise<Calls<typeof WorkflowServiceService>>;
  /** Like `addReplica`; returns a runner's calls to its file areas. */
  readonly addFileReplica: () => Promise<Calls<typeof FileAreaServiceService>>;
  readonly stop: () => Promise<void>;
}

/** Settings in addition to those of every test, by environment variable. */
export type TestEnvironment = Readonly<Record<string, string>>;

const ROLES: Readonly<Record<string, Role>> = {
  'key-owner': Role.ROLE_OWNER,
  'key-editor': Role.ROLE_EDITOR,
  'key-viewer': Role.ROLE_VIEWER,
};
const NAMES = ['gateway', 'workflows', 'executions', 'credentials', 'runner'];

const startFakeCredentials = (
  publicKeys: string,
  projects: FakeProjects,
  credentials: readonly BoundService[],
): Promise<FakePeer> => {
  const unused = () => Promise.reject(new Unauthorized());
  const handlers = {
    createApiKey: unused,
    listApiKeys: unused,
    deleteApiKey: unused,
    verifyApiKey: ({ proof, count }: { proof?: { $case: string; value: unknown } | undefined; count: number }) => {
      const key = proof?.$case === 'apiKey' ? String(proof.value) : '';
      const role = ROLES[key];
      if (role === undefined) return Promise.reject(new Unauthorized());
      return Promise.resolve({
        userId: `user-of-${key}`,
        email: '',
        role,
        granted: count,
        limit: 0,
        remaining: 0,
        resetAt: new Date(),
        scopes: [],
        projectIds: [],
        readProjectIds: [],
      });
    },
  };
  const rule = { services: ['workflows'] };
  const access = { createApiKey: {}, listApiKeys: {}, deleteApiKey: {}, verifyApiKey: rule };
  return startFakePeer({
    name: 'credentials',
    publicKeys,
    services: [bindService(ApiKeyServiceService, handlers, access), projects.service, ...credentials],
  });
};

/** Peers of an earlier release. */
export interface OlderPeers {
  /** False: the credentials service has no FindCredentials. */
  readonly findsCredentials?: boolean;
}

/** Settings with which schedules and backfills are polled often; each poll reads the store. */
export const OFTEN = { SCHEDULE_POLL_MS: '50' } as const;

/** Starts the service. The caller stops it, which drops its database. */
export const startService = async (
  environment: TestEnvironment = {},
  collectMs?: number,
  { findsCredentials = true }: OlderPeers = {},
): Promise<TestService> => {
  const mongodbUri = testMongodbUri();
  const keys = makeTestKeys(NAMES);
  const database = uniqueName('workflows');
  const executions = await startFakeExecutions(keys.publicKeys);
  const projects = fakeProjects();
  const found = fakeCredentials();
  const credentials = await startFakeCredentials(keys.publicKeys, projects, findsCredentials ? [found.service] : []);
  const values = config.load({
    PORT: '0',
    SERVICE_KEY: keys.privateKeyOf('workflows'),
    SERVICE_PUBLIC_KEYS: keys.publicKeys,
    MONGODB_URI: mongodbUri,
    MONGODB_DATABASE: database,
    EXECUTIONS_TARGET: executions.target,
    CREDENTIALS_TARGET: credentials.target,
    DRAIN_MS: '2000',
    ...environment,
  });
  const replicas: RunningService[] = [await createServer(values, testLogger(), collectMs)];
  const port = replicas[0]?.port ?? 0;
  const callers = ['gateway', 'executions', 'runner'].map((service) =>
    createCaller(WorkflowServiceService, {
      service: 'workflows',
      target: `ipv4:127.0.0.1:${port}`,
      sign: keys.signerOf(service),
    }),
  );
  const others: { close: () => void }[] = [];
  const connect = <Definition extends ServiceDefinition>(
    definition: Definition,
    from: string,
    toPort = port,
  ): Calls<Definition> => {
    const caller = createCaller(definition, {
      service: 'workflows',
      target: `ipv4:127.0.0.1:${toPort}`,
      sign: keys.signerOf(from),
    });
    others.push(caller);
    return caller.calls;
  };
  const addReplica = async (): Promise<number> => {
    const replica = await createServer(values, testLogger(), collectMs);
    replicas.push(replica);
    return replica.port;
  };
  const callsOf = (index: number): Calls<typeof WorkflowServiceService> => {
    const caller = callers[index];
    if (caller === undefined) throw new Error('no such caller');
    return caller.calls;
  };
  return {
    database,
    port,
    executions,
    destinations: projects.destinations,
    projects,
    credentials: found,
    as: (userId, role, ...projects) => ({ principal: { userId, role, projects } }),
    gateway: callsOf(0),
    fromExecutions: callsOf(1),
    fromRunner: callsOf(2),
    state: connect(StateServiceService, 'runner'),
    files: connect(FileAreaServiceService, 'runner'),
    filesForUsers: connect(FileAreaServiceService, 'gateway'),
    stateFromGateway: connect(StateServiceService, 'gateway'),
    apps: connect(AppServiceService, 'gateway'),
    appsForRuns: connect(AppServiceService, 'runner'),
    variables: connect(VariableServiceService, 'gateway'),
    variablesForRuns: connect(VariableServiceService, 'runner'),
    dataTables: connect(DataTableServiceService, 'gateway'),
    dataTablesForRuns: connect(DataTableServiceService, 'runner'),
    deliveries: connect(DeliveryServiceService, 'gateway'),
    listening: connect(ListeningServiceService, 'gateway'),
    schedules: connect(ScheduleServiceService, 'gateway'),
    audit: connect(AuditServiceService, 'gateway'),
    ownership: connect(OwnershipServiceService, 'credentials'),
    ownershipFromGateway: connect(OwnershipServiceService, 'gateway'),
    addReplica: async () => connect(WorkflowServiceService, 'gateway', await addReplica()),
    addFileReplica: async () => connect(FileAreaServiceService, 'runner', await addReplica()),
    stop: async () => {
      for (const caller of [...callers, ...others]) caller.close();
      await Promise.all(replicas.map((replica) => replica.stop()));
      await Promise.all([executions.stop(), credentials.stop()]);
      await dropDatabase(database);
    },
  };
};
