import { credentials, Metadata } from '@grpc/grpc-js';
import type { Stack } from '@weft/local-stack';
import { Role, UserServiceClient } from '@weft/proto/identity';

const ROLES = { admin: Role.ROLE_ADMIN, editor: Role.ROLE_EDITOR, viewer: Role.ROLE_VIEWER } as const;
/** Password of every user that is created here. */
export const USER_PASSWORD = 'a password of enough letters';

/** Creates a user, and an API key in the console. @returns the key */
export const makeUser = async (
  { baseUrls, grpcTargets, apiKey }: Pick<Stack, 'baseUrls' | 'grpcTargets' | 'apiKey'>,
  name: string,
  role: keyof typeof ROLES,
): Promise<string> => {
  const email = `${name}@users.invalid`;
  const owner = new Metadata();
  owner.set('x-svc-api-key', apiKey);
  const users = new UserServiceClient(grpcTargets.credentials, credentials.createInsecure());
  try {
    await new Promise<void>((resolve, reject) => {
      users.createUser({ email, password: USER_PASSWORD, role: ROLES[role] }, owner, (error) =>
        error === null ? resolve() : reject(error),
      );
    });
  } finally {
    users.close();
  }
  const page = async (path: string, body: unknown, cookie = ''): Promise<Response> => {
    const response = await fetch(`${baseUrls[0]}/console/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-weft-console': '1', cookie },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`The page answered ${response.status}: ${await response.text()}`);
    return response;
  };
  const session = await page('/session', { email, password: USER_PASSWORD });
  const [cookie] = session.headers.getSetCookie()[0]?.split(';') ?? [];
  const { data }: { data: { value: string } } = JSON.parse(
    await (await page('/v1/keys', { name: 'test' }, cookie)).text(),
  );
  return data.value;
};
