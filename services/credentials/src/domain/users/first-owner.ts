import { isKeyValue, type HashKey } from '../api-keys/key-format';
import type { ApiKeyStore } from '../api-keys/api-key';
import { checkPassword } from './check-password';
import { isEmail, normaliseEmail } from './email';
import { hashPassword } from './password';
import type { User, UserStore } from './user';

/** What the configuration says about the first owner; empty texts are unset. */
export interface OwnerSettings {
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
}

/** What is needed to make the first owner. */
export interface FirstOwnerPorts {
  readonly users: Pick<UserStore, 'findOwner' | 'insert'>;
  readonly apiKeys: Pick<ApiKeyStore, 'putEnvironmentKey'>;
  readonly hashKey: HashKey;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/** Name of the key that WEFT_OWNER_API_KEY makes. */
export const ENVIRONMENT_KEY_NAME = 'WEFT_OWNER_API_KEY';

/** What is wrong with the settings, one sentence for each fault; never shows a password or key. */
export const ownerSettingErrors = ({ email, password, apiKey }: OwnerSettings): readonly string[] => {
  if (email === '' && password === '' && apiKey === '') return [];
  const passwordError = checkPassword(password);
  return [
    ...(isEmail(normaliseEmail(email))
      ? []
      : ['WEFT_OWNER_EMAIL is not an email; set it together with WEFT_OWNER_PASSWORD.']),
    ...(passwordError === undefined ? [] : [`WEFT_OWNER_PASSWORD cannot be used: ${passwordError}`]),
    ...(apiKey === '' || isKeyValue(apiKey)
      ? []
      : [
          'WEFT_OWNER_API_KEY is not an API key: weft_, 32 to 128 letters and digits, and the first 4 ' +
            'hexadecimal digits of their SHA-256.',
        ]),
  ];
};

const findOrMakeOwner = async (
  { users, newId, clock }: FirstOwnerPorts,
  { email, password }: OwnerSettings,
): Promise<User> => {
  const existing = await users.findOwner();
  if (existing !== undefined) return existing;
  const owner = { id: newId(), email: normaliseEmail(email), role: 'owner', createdAt: clock() } as const;
  if (await users.insert({ ...owner, passwordHash: await hashPassword(password) })) return owner;
  // Another replica that starts at the same time was faster.
  const winner = await users.findOwner();
  if (winner === undefined)
    throw new Error(
      `The owner cannot be made: another user has the email ${owner.email}. Set WEFT_OWNER_EMAIL to a different one.`,
    );
  return winner;
};

/**
 * Makes the owner if the settings name one and there is none yet, and keeps the owner's key equal to the settings.
 * Safe to run at every start and in several replicas at once. An owner that exists keeps email and password.
 * @returns the owner; undefined if the settings name none.
 */
export const ensureFirstOwner = async (ports: FirstOwnerPorts, settings: OwnerSettings): Promise<User | undefined> => {
  if (settings.email === '') return undefined;
  const owner = await findOrMakeOwner(ports, settings);
  if (settings.apiKey !== '') {
    const hashes = ports.hashKey(settings.apiKey);
    const key = {
      id: ports.newId(),
      userId: owner.id,
      name: ENVIRONMENT_KEY_NAME,
      createdAt: ports.clock(),
      ...hashes[0],
    };
    await ports.apiKeys.putEnvironmentKey(
      key,
      hashes.map(({ hash }) => hash),
    );
  }
  return owner;
};
