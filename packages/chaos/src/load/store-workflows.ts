import { credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { ApiKeyServiceClient, Role, UserServiceClient } from '@weft/proto/identity';
import type { Stack } from '@weft/local-stack';
import type { StoredKind } from '../checks/evidence';
import type { Api } from './api';
import type { BuildContext, Kind } from './kind';

const PASSWORD = 'a password of enough letters';

type Answer<Response> = (error: ServiceError | null, response: Response) => void;

const call = <Response>(send: (answer: Answer<Response>) => unknown): Promise<Response> =>
  new Promise((resolve, reject) => send((error, response) => (error === null ? resolve(response) : reject(error))));

/** Creates a user of the role editor, and returns an API key of it. @param name of letters, not yet taken */
export const makeUser = async (stack: Pick<Stack, 'grpcTargets' | 'apiKey'>, name: string): Promise<string> => {
  const user = { email: `${name}@chaos.invalid`, password: PASSWORD };
  const users = new UserServiceClient(stack.grpcTargets.credentials, credentials.createInsecure());
  const keys = new ApiKeyServiceClient(stack.grpcTargets.credentials, credentials.createInsecure());
  const [asOwner, asUser] = [new Metadata(), new Metadata()];
  asOwner.set('x-svc-api-key', stack.apiKey);
  asUser.set('authorization', `Basic ${Buffer.from(`${user.email}:${user.password}`).toString('base64')}`);
  try {
    await call((answer) => users.createUser({ ...user, role: Role.ROLE_EDITOR }, asOwner, answer));
    const { value } = await call<{ value: string }>((answer) =>
      keys.createApiKey({ name: 'chaos', scopes: [] }, asUser, answer),
    );
    return value;
  } finally {
    users.close();
    keys.close();
  }
};

/** Creates the second, hostile user. @returns an API key of it */
export const makeHostileUser = (stack: Pick<Stack, 'grpcTargets' | 'apiKey'>): Promise<string> =>
  makeUser(stack, 'hostile');

/** Stores the workflows of kinds, each after those it refers to; returns them by workflow id and their ids by name. */
export const storeWorkflows = async (
  api: Api,
  kinds: readonly Kind[],
  isHostile: boolean,
  sinkUrl: string,
): Promise<Map<string, StoredKind>> => {
  const ids = new Map<string, string>();
  const stored = new Map<string, StoredKind>();
  const context: BuildContext = {
    sinkUrl,
    idOf: (name) => {
      const id = ids.get(name);
      if (id === undefined) throw new Error(`No workflow ${name} was stored before.`);
      return id;
    },
  };
  for (const kind of kinds) {
    const id = await api.create(kind.build(context));
    ids.set(kind.name, id);
    stored.set(id, { kind, isHostile });
  }
  return stored;
};
