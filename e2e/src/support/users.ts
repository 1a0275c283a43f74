import { credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import type { Stack } from '@weft/local-stack';
import {
  ApiKeyServiceClient,
  Role,
  UserServiceClient,
  type CreateApiKeyResponse,
  type CreateUserResponse,
} from '@weft/proto/identity';

const ROLES = { editor: Role.ROLE_EDITOR, viewer: Role.ROLE_VIEWER } as const;
const PASSWORD = 'a password of enough letters';

const call = <Response>(
  send: (answer: (error: ServiceError | null, response: Response) => void) => unknown,
): Promise<Response> =>
  new Promise((resolve, reject) => send((error, response) => (error === null ? resolve(response) : reject(error))));

/** Makes a user and returns an API key of it. */
export const makeUser = async (
  { grpcTargets, apiKey }: Pick<Stack, 'grpcTargets' | 'apiKey'>,
  name: string,
  role: keyof typeof ROLES,
): Promise<string> => {
  const email = `${name}@users.invalid`;
  const users = new UserServiceClient(grpcTargets.credentials, credentials.createInsecure());
  const keys = new ApiKeyServiceClient(grpcTargets.credentials, credentials.createInsecure());
  const [owner, self] = [new Metadata(), new Metadata()];
  owner.set('x-svc-api-key', apiKey);
  self.set('authorization', `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`);
  try {
    await call<CreateUserResponse>((answer) =>
      users.createUser({ email, password: PASSWORD, role: ROLES[role] }, owner, answer),
    );
    return (await call<CreateApiKeyResponse>((answer) => keys.createApiKey({ name: 'test' }, self, answer))).value;
  } finally {
    users.close();
    keys.close();
  }
};
