import { nkeys } from 'nats';

type KeyPair = ReturnType<typeof nkeys.createUser>;

const encode = (value: object | Uint8Array): string =>
  Buffer.from(value instanceof Uint8Array ? value : JSON.stringify(value)).toString('base64url');

/** A JWT of NATS: the issuer's signature on claims about the subject. */
const sign = (issuer: KeyPair, subject: KeyPair, name: string, claims: object): string => {
  const body = { jti: name, iat: 1, iss: issuer.getPublicKey(), sub: subject.getPublicKey(), name };
  const text = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode({ ...body, nats: { version: 2, ...claims } })}`;
  return `${text}.${encode(issuer.sign(new TextEncoder().encode(text)))}`;
};

const LIMITS = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
const JETSTREAM_LIMITS = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

/** A server's configuration in operator mode, and the credentials file of a user that the server knows. */
export interface NatsCredentials {
  readonly config: string;
  readonly credentials: string;
}

/** Makes an operator, its accounts and a user. */
export const makeCredentials = (): NatsCredentials => {
  const operator = nkeys.createOperator();
  const [system, account] = [nkeys.createAccount(), nkeys.createAccount()];
  const user = nkeys.createUser();
  const operatorJwt = sign(operator, operator, 'operator', { type: 'operator' });
  const systemJwt = sign(operator, system, 'system', { type: 'account', limits: LIMITS });
  const accountJwt = sign(operator, account, 'weft', { type: 'account', limits: { ...LIMITS, ...JETSTREAM_LIMITS } });
  const userJwt = sign(account, user, 'runner', { type: 'user', subs: -1, data: -1, payload: -1 });
  return {
    config: [
      `operator: "${operatorJwt}"`,
      `system_account: ${system.getPublicKey()}`,
      'resolver: MEMORY',
      'resolver_preload: {',
      `  ${system.getPublicKey()}: "${systemJwt}"`,
      `  ${account.getPublicKey()}: "${accountJwt}"`,
      '}',
    ].join('\n'),
    credentials: [
      '-----BEGIN NATS USER JWT-----',
      userJwt,
      '------END NATS USER JWT------',
      '',
      '-----BEGIN USER NKEY SEED-----',
      new TextDecoder().decode(user.getSeed()),
      '------END USER NKEY SEED------',
      '',
    ].join('\n'),
  };
};
