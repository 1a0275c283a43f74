import { isKeyValue, type HashKey } from '../api-keys/key-format';
import type { ApiKeyStore } from '../api-keys/api-key';
import { isEmail, normaliseEmail, passwordError } from '../users/login';
import type { HashPassword } from '../users/password';
import type { User, UserStore } from '../ownership/user';

/** Configuration of the first owner; empty strings are unset. */
export interface OwnerSettings {
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
}

export interface FirstOwnerPorts {
  readonly users: Pick<UserStore, 'findOwner' | 'insertFirstOwner'>;
  readonly apiKeys: Pick<ApiKeyStore, 'putEnvironmentKey'>;
  readonly hashKey: HashKey;
  readonly hashPassword: HashPassword;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/** Name of the key set by WEFT_OWNER_API_KEY. */
export const ENVIRONMENT_KEY_NAME = 'WEFT_OWNER_API_KEY';

/** Checks the settings. @returns one sentence per error, without any password or key */
export const ownerSettingErrors = ({ email, password, apiKey }: OwnerSettings): readonly string[] => {
  if (email === '' && password === '' && apiKey === '') return [];
  const wrongPassword = passwordError(password);
  return [
    ...(isEmail(normaliseEmail(email))
      ? []
      : ['WEFT_OWNER_EMAIL is not an email; set it together with WEFT_OWNER_PASSWORD.']),
    ...(wrongPassword === undefined ? [] : [`WEFT_OWNER_PASSWORD ${wrongPassword}`]),
    ...(apiKey === '' || isKeyValue(apiKey)
      ? []
      : [
          'WEFT_OWNER_API_KEY is not an API key: weft_, 32 to 128 letters and digits, and the first 4 ' +
            'hexadecimal digits of their SHA-256.',
        ]),
  ];
};

const findOrCreateOwner = async (
  { users, hashPassword, newId, clock }: FirstOwnerPorts,
  { email, password }: OwnerSettings,
): Promise<User> => {
  const existing = await users.findOwner();
  if (existing !== undefined) return existing;
  const owner = { id: newId(), email: normaliseEmail(email), role: 'owner', createdAt: clock() } as const;
  if (await users.insertFirstOwner({ ...owner, passwordHash: await hashPassword(password) })) return owner;
  // Another replica starting at the same time was faster.
  const winner = await users.findOwner();
  if (winner === undefined)
    throw new Error(
      `The owner cannot be created: another user has the email ${owner.email}. Set WEFT_OWNER_EMAIL to ` +
        `a different one.`,
    );
  return winner;
};

const putOwnerKey = async ({ apiKeys, hashKey, newId, clock }: FirstOwnerPorts, owner: User, value: string) => {
  const hashes = hashKey(value);
  const key = { id: newId(), userId: owner.id, name: ENVIRONMENT_KEY_NAME, createdAt: clock(), ...hashes[0] };
  await apiKeys.putEnvironmentKey(
    key,
    hashes.map(({ hash }) => hash),
  );
};

/**
 * Creates the owner if the settings name one and none exists yet, and sets the owner's key to the configured one. Safe
 * to run at every start and in several replicas concurrently. Email and password of an existing owner stay unchanged.
 * @returns the owner; undefined if the settings name none
 */
export type EnsureFirstOwner = (settings: OwnerSettings) => Promise<User | undefined>;

export const createEnsureFirstOwner = (ports: FirstOwnerPorts): EnsureFirstOwner =>
  async function ensureFirstOwner(settings) {
    if (settings.email === '') return undefined;
    const owner = await findOrCreateOwner(ports, settings);
    if (settings.apiKey !== '') await putOwnerKey(ports, owner, settings.apiKey);
    return owner;
  };
