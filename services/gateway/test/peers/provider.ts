import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** Claims of an ID token; undefined omits one. */
export type Claims = Readonly<Record<string, unknown>>;

/** A key for signing tokens. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Answers a request instead of the provider. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Registered client id and secret. */
export const CLIENT = { id: 'weft', secret: 'the secret of the client' };

export const newKey = (kid: string): SigningKey => ({ kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) });

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The part of a token that is signed. */
export const unsigned = (claims: Claims, header: Claims): string => `${encoded(header)}.${encoded(claims)}`;

/** A correctly signed token. */
export const signed = (claims: Claims, { kid, privateKey }: SigningKey): string => {
  const data = unsigned(claims, { alg: 'ES256', kid });
  const signature = sign('sha256', Buffer.from(data), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${data}.${signature.toString('base64url')}`;
};

const writeJson = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};

/** An attempt that waits for its code. */
interface Granted {
  readonly nonce: string;
  readonly challenge: string;
}

/** An OpenID Connect provider that a test can misconfigure. */
export const startProvider = async () => {
  const codes = new Map<string, Granted>();
  const asked: string[] = [];
  const inPlace = new Map<string, Answer>();
  const published: SigningKey[] = [newKey('first')];
  /** Overrides of the correct metadata. */
  const metadata: Record<string, unknown> = {};
  let issuer = '';
  const claimsFor = (nonce: string): Claims => {
    const now = Math.floor(Date.now() / 1_000);
    return { iss: issuer, aud: CLIENT.id, sub: 'person-1', nonce, iat: now, exp: now + 60, email_verified: true };
  };
  const token = {
    /** Creates the ID token of a response; undefined: none. */
    make: (nonce: string): string | undefined => {
      const [key] = published;
      return key === undefined ? undefined : signed(claimsFor(nonce), key);
    },
  };
  const exchange = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await text(request));
    const code = form.get('code') ?? '';
    const granted = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (granted?.challenge !== challenge) return writeJson(response, { error: 'invalid_grant' }, 400);
    const idToken = token.make(granted.nonce);
    const rest = idToken === undefined ? {} : { id_token: idToken };
    writeJson(response, { access_token: 'access', token_type: 'bearer', expires_in: 60, ...rest });
  };
  const routes: Readonly<Record<string, Answer>> = {
    '/.well-known/openid-configuration': (_request, response) =>
      writeJson(response, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        // A provider that claims to use an insecure algorithm.
        id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
        ...metadata,
      }),
    '/jwks': (_request, response) =>
      writeJson(response, {
        keys: published.map(({ kid, publicKey }) => ({
          ...publicKey.export({ format: 'jwk' }),
          kid,
          alg: 'ES256',
          use: 'sig',
        })),
      }),
    '/token': (request, response) => void exchange(request, response),
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const answer = inPlace.get(path) ?? routes[path];
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  issuer = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    issuer,
    variables: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
    /** Requested paths, in order. */
    asked,
    /** Published keys; the first one signs. */
    published,
    metadata,
    token,
    claimsFor,
    /** Makes the test answer requests at this path. */
    answer: (path: string, answer: Answer): void => void inPlace.set(path, answer),
    /** Lets the person sign in. @returns a code that proves it, once */
    grant: (authorization: URL): string => {
      const code = randomUUID();
      const { searchParams } = authorization;
      codes.set(code, {
        nonce: searchParams.get('nonce') ?? '',
        challenge: searchParams.get('code_challenge') ?? '',
      });
      return code;
    },
    stop: (): Promise<void> =>
      new Promise((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
};

export type TestProvider = Awaited<ReturnType<typeof startProvider>>;
