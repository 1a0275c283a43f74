import { readFileSync } from 'node:fs';
import Provider from 'oidc-provider';

/** Program of a real OpenID Connect provider, with its own pages to sign in. Arguments: see identity-provider.ts. */
const [port = '', accountsFile = '', clientId = '', clientSecret = '', redirectUri = ''] = process.argv.slice(2);

/** Claims of an account as they are now, so that a test can move a person to other groups. */
const claimsOf = (login: string): Readonly<Record<string, unknown>> | undefined => {
  const accounts: Readonly<Record<string, Readonly<Record<string, unknown>>>> = JSON.parse(
    readFileSync(accountsFile, 'utf8'),
  );
  return accounts[login];
};

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
  cookies: { keys: ['of a test'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
  pkce: { required: () => true },
  findAccount: (_context, login) => {
    if (claimsOf(login) === undefined) return undefined;
    return { accountId: login, claims: () => ({ sub: login, ...claimsOf(login) }) };
  },
});

provider.listen(Number(port), '127.0.0.1');
