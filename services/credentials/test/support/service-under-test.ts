import { AuditServiceService } from '@weft/proto/audit';
import { CredentialServiceService, type CreateCredentialRequest, type Credential } from '@weft/proto/credentials';
import {
  ApiKeyServiceService,
  InvitationServiceService,
  Role as RoleMessage,
  SessionServiceService,
  UserServiceService,
} from '@weft/proto/identity';
import { ProjectServiceService } from '@weft/proto/projects';
import type { Principal, Role } from '@weft/service-kit/auth';
import type { Environment } from '@weft/service-kit/config';
import { createCaller, type Calls } from '@weft/service-kit/grpc';
import { createLogger } from '@weft/service-kit/logging';
import { connectDatabase, type Database } from '@weft/service-kit/mongo';
import { dropDatabase, makeTestKeys, testMongodbUri, uniqueName } from '@weft/service-kit/testing';
import { randomBytes } from 'node:crypto';
import { config } from '../../src/config';
import { makeKeyValue } from '../../src/domain/api-keys/key-format';
import { createServer } from '../../src/server';
import { startFakeExecutions, type FakeExecutions } from './fake-executions';
import { startFakeRunner, type FakeRunner } from './fake-runner';
import { startFakeWorkflows, type FakeWorkflows } from './fake-workflows';

/** Calls of all services, made by one service. */
export interface TestCalls {
  readonly credentials: Calls<typeof CredentialServiceService>;
  readonly apiKeys: Calls<typeof ApiKeyServiceService>;
  readonly users: Calls<typeof UserServiceService>;
  readonly invitations: Calls<typeof InvitationServiceService>;
  readonly audit: Calls<typeof AuditServiceService>;
  readonly sessions: Calls<typeof SessionServiceService>;
  readonly projects: Calls<typeof ProjectServiceService>;
}

/** One replica of the service. */
export interface Replica {
  /** gRPC target. */
  readonly target: string;
  /** Calls made by a service, for itself or, in their options, for a user. */
  readonly as: (service: string) => TestCalls;
  readonly stop: () => Promise<void>;
}

/** The service with its real store and fake peers. */
export interface TestService extends Replica {
  readonly executions: FakeExecutions;
  readonly workflows: FakeWorkflows;
  readonly runner: FakeRunner;
  readonly database: Database;
  /** Public keys of all services of the test. */
  readonly publicKeys: string;
  readonly owner: Principal;
  readonly ownerApiKey: string;
  /** Lines that any replica logged. */
  readonly logs: readonly string[];
  /** Starts another replica on the same store. */
  readonly startReplica: (environment?: Environment) => Promise<Replica>;
  /** Makes a user. */
  readonly addUser: (role: Role) => Promise<Principal & { readonly email: string }>;
  /** Creates a credential of the owner, or of another user. */
  readonly addCredential: (request: Partial<CreateCredentialRequest>, principal?: Principal) => Promise<Credential>;
  /** Advances the clock of all replicas, in milliseconds. */
  readonly passTime: (ms: number) => void;
}

/** Email and password of the owner. */
export const OWNER = { email: 'owner@example.test', password: 'correct horse battery' } as const;

/** Password of every other user. */
export const PASSWORD = 'staple of the correct horse';

/** A new master key. */
export const newMasterKey = (kid: string): string => `${kid}:${randomBytes(32).toString('base64')}`;

const ROLES = {
  owner: RoleMessage.ROLE_OWNER,
  admin: RoleMessage.ROLE_ADMIN,
  editor: RoleMessage.ROLE_EDITOR,
  viewer: RoleMessage.ROLE_VIEWER,
} as const;

const keys = makeTestKeys(['credentials', 'gateway', 'runner', 'workflows', 'executions']);

const connectCalls = (target: string, service: string): { calls: TestCalls; close: () => void } => {
  const options = { service: 'credentials', target, sign: keys.signerOf(service), capacity: 5_000 };
  const callers = {
    credentials: createCaller(CredentialServiceService, options),
    apiKeys: createCaller(ApiKeyServiceService, options),
    users: createCaller(UserServiceService, options),
    invitations: createCaller(InvitationServiceService, options),
    audit: createCaller(AuditServiceService, options),
    sessions: createCaller(SessionServiceService, options),
    projects: createCaller(ProjectServiceService, options),
  };
  const { credentials, apiKeys, users, invitations, audit, sessions, projects } = callers;
  return {
    calls: {
      credentials: credentials.calls,
      apiKeys: apiKeys.calls,
      users: users.calls,
      invitations: invitations.calls,
      audit: audit.calls,
      sessions: sessions.calls,
      projects: projects.calls,
    },
    close: () => Object.values(callers).forEach(({ close }) => close()),
  };
};

const startReplicaOf = async (environment: Environment, logs: string[], clock: () => Date): Promise<Replica> => {
  const logger = createLogger('credentials', 'debug', { write: (line) => void logs.push(line) });
  const server = await createServer(config.load(environment), logger, clock);
  const target = `ipv4:127.0.0.1:${server.port}`;
  const connections = new Map<string, ReturnType<typeof connectCalls>>();
  return {
    target,
    as: (service) => {
      const connection = connections.get(service) ?? connectCalls(target, service);
      connections.set(service, connection);
      return connection.calls;
    },
    stop: async () => {
      for (const { close } of connections.values()) close();
      await server.stop();
    },
  };
};

/** Starts the service with a separate database. @param environment changes to the test's defaults */
export const startService = async (environment: Environment = {}): Promise<TestService> => {
  const mongodbUri = testMongodbUri();
  const executions = await startFakeExecutions(keys.publicKeys);
  const workflows = await startFakeWorkflows(keys.publicKeys);
  const runner = await startFakeRunner(keys.publicKeys);
  const databaseName = uniqueName('credentials');
  const ownerApiKey = makeKeyValue();
  const defaults: Environment = {
    PORT: '0',
    DRAIN_MS: '2000',
    SERVICE_KEY: keys.privateKeyOf('credentials'),
    SERVICE_PUBLIC_KEYS: keys.publicKeys,
    MONGODB_URI: mongodbUri,
    MONGODB_DATABASE: databaseName,
    EXECUTIONS_TARGET: executions.target,
    WORKFLOWS_TARGET: workflows.target,
    RUNNER_TARGET: runner.target,
    MASTER_KEY: newMasterKey('k1'),
    RATE_LIMIT_PER_MINUTE: '0',
    // hashing at the default cost takes 100 ms of CPU
    PASSWORD_COST: '4',
    EXTRA_CREDENTIAL_TYPES: '*',
    WEFT_OWNER_EMAIL: OWNER.email,
    WEFT_OWNER_PASSWORD: OWNER.password,
    WEFT_OWNER_API_KEY: ownerApiKey,
    ...environment,
  };
  const logs: string[] = [];
  let shiftMs = 0;
  const clock = (): Date => new Date(Date.now() + shiftMs);
  const replicas: Replica[] = [];
  const startReplica = async (others: Environment = {}): Promise<Replica> => {
    const replica = await startReplicaOf({ ...defaults, ...others }, logs, clock);
    replicas.push(replica);
    return replica;
  };
  const first = await startReplica();
  const database = await connectDatabase(mongodbUri, databaseName);
  const gateway = first.as('gateway');
  const { userId } = await gateway.apiKeys.verifyApiKey({
    proof: { $case: 'apiKey', value: defaults['WEFT_OWNER_API_KEY'] ?? '' },
    count: 1,
  });
  const owner = { userId, role: 'owner' } as const;
  let users = 0;
  return {
    ...first,
    executions,
    workflows,
    runner,
    database,
    publicKeys: keys.publicKeys,
    owner,
    ownerApiKey,
    logs,
    startReplica,
    passTime: (ms) => {
      shiftMs += ms;
    },
    addUser: async (role) => {
      users += 1;
      const email = `${role}${users}@example.test`;
      const { user } = await gateway.users.createUser(
        { email, password: PASSWORD, role: ROLES[role] },
        { principal: owner },
      );
      return { userId: user?.id ?? '', role, email };
    },
    addCredential: async (request, principal = owner) => {
      const { credential } = await gateway.credentials.createCredential(
        { name: 'a credential', type: 'httpBearerAuth', dataJson: '{"token":"t"}', ...request },
        { principal },
      );
      if (credential === undefined) throw new Error('The service made no credential.');
      return credential;
    },
    stop: async () => {
      for (const replica of replicas) await replica.stop();
      await database.close();
      await executions.stop();
      await workflows.stop();
      await runner.stop();
      await dropDatabase(databaseName);
    },
  };
};
