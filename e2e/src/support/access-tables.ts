import { ROLE_PERMISSIONS, type Role } from '@weft/service-kit/auth';
import { join } from 'node:path';

/** Callers of a method: users with a permission, and services on their own behalf. */
export interface Rule {
  readonly users?: string;
  readonly services?: readonly string[];
}

/** Encodes and decodes the messages of a method, whatever they are. */
export interface Codec {
  readonly requestSerialize: (message: unknown) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
}

/** A method of a service with its rule. */
export interface Method {
  /** The service that serves it. */
  readonly host: 'workflows' | 'executions' | 'credentials' | 'runner';
  /** gRPC path: `/weft.workflows.v1.WorkflowService/GetWorkflow`. */
  readonly path: string;
  /** Name in the access table: `getWorkflow`. */
  readonly name: string;
  readonly rule: Rule;
  readonly codec: Codec;
}

const ROOT = join(__dirname, '..', '..', '..', '..');

type Part = Readonly<Record<string, unknown>>;

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;

const load = (path: string): Part => {
  const found: unknown = require(path);
  if (!isPart(found)) throw new Error(`${path} exports nothing.`);
  return found;
};

/** A method as it is generated. */
interface Generated extends Codec {
  readonly path: string;
}

const isGenerated = (value: unknown): value is Generated =>
  isPart(value) &&
  typeof value['path'] === 'string' &&
  ['requestSerialize', 'requestDeserialize', 'responseDeserialize'].every((name) => typeof value[name] === 'function');

/** Every service of the contract: its methods by their names. */
const contracts = (): readonly ReadonlyMap<string, Generated>[] => {
  const { exports } = load('@weft/proto/package.json');
  const entries = isPart(exports) ? Object.entries(exports) : [];
  return entries
    .filter(([, file]) => String(file).endsWith('_service.js'))
    .flatMap(([entry]) => Object.entries(load(`@weft/proto/${entry.slice(2)}`)))
    .filter(([name]) => name.endsWith('ServiceService'))
    .map(
      ([, methods]) =>
        new Map(
          Object.entries(isPart(methods) ? methods : {}).flatMap(([name, method]) =>
            isGenerated(method) ? [[name, method] as const] : [],
          ),
        ),
    );
};

const readRule = (value: unknown): Rule => {
  const { users, services } = isPart(value) ? value : {};
  return {
    ...(typeof users === 'string' ? { users } : {}),
    ...(Array.isArray(services) ? { services: services.map(String) } : {}),
  };
};

const tablesOf = (file: string): readonly Part[] =>
  Object.entries(load(file)).flatMap(([name, table]) => (name.endsWith('_ACCESS') && isPart(table) ? [table] : []));

const ACCESS_FILES = (['workflows', 'executions', 'credentials', 'runner'] as const).map(
  (host) => [host, join(ROOT, 'services', host, 'dist/src/handlers/access.js')] as const,
);

const sameNames = (table: Part, contract: ReadonlyMap<string, Generated>): boolean =>
  Object.keys(table).sort().join() === [...contract.keys()].sort().join();

/**
 * Every method of every service, with its rule in the access table of the service. A service whose methods are in no
 * table, or not all of them, is an error.
 */
export const rpcMethods = (): readonly Method[] => {
  const all = contracts();
  const audit = tablesOf('@weft/service-kit/audit');
  const settings = tablesOf('@weft/service-kit/shared-settings');
  const known = ACCESS_FILES.flatMap(([host, file]) =>
    [
      ...tablesOf(file),
      ...(host === 'executions' || host === 'runner' ? [] : audit),
      ...(host === 'runner' ? [] : settings),
    ].map((table) => ({ host, table })),
  );
  const unnamed = all.filter((contract) => !known.some(({ table }) => sameNames(table, contract)));
  const pathsOf = (one: ReadonlyMap<string, Generated>): string => [...one.values()].map(({ path }) => path).join();
  if (all.length === 0 || unnamed.length > 0)
    throw new Error(`No access table names exactly these methods: ${unnamed.map(pathsOf).join('; ')}`);
  return known.flatMap(({ host, table }) => {
    const contract = all.find((one) => sameNames(table, one));
    return Object.entries(table).map(([name, rule]) => {
      const codec = contract?.get(name);
      if (codec === undefined) throw new Error(`${name} of an access table of ${host} is not a method.`);
      return { host, path: codec.path, name, rule: readRule(rule), codec };
    });
  });
};

/** True if the rule lets in users of the role. */
export const admits = (role: Role, { users }: Method['rule']): boolean =>
  users === 'all' || ROLE_PERMISSIONS[role].some((permission) => permission === users);

/** True if the name of the method says that it changes nothing. */
export const isReading = ({ name }: Method): boolean => /^(?:get|list|read|query|stream|preview|find)/.test(name);
