import { createHash, randomBytes } from 'node:crypto';
import type { OutboundRequest, OutboundResponse } from '@weft/outbound';
import { type DigestChallenge, digestChallengeOf } from './digest-challenge';
import { type Exchange, withSecretHeader } from './exchange';

/** One response, and one more for a stale nonce. */
const MAX_ANSWERS = 2;

/**
 * Digest authentication (RFC 7616): sends the request without proof, and responds to the challenge of a 401 with one. A
 * response without a supported challenge is returned unchanged.
 */
export function digestExchange(
  user: string,
  password: string,
  cnonceOf: () => string = () => randomBytes(16).toString('hex'),
): Exchange {
  return async (request, send) => {
    let response = await send(request);
    for (let answers = 0; answers < MAX_ANSWERS; answers += 1) {
      const challenge = response.status === 401 ? digestChallengeOf(challengeHeader(response)) : undefined;
      const asked = challenge === undefined ? undefined : askedAt(request, response.url);
      if (challenge === undefined || asked === undefined || (answers > 0 && !challenge.isStale)) return response;
      response = await send(
        withSecretHeader(asked, 'Authorization', proofOf(challenge, asked, user, password, cnonceOf())),
      );
    }
    return response;
  };
}

/** A redirect within the origin changes the signed URI; one to another origin gets no proof. */
function askedAt(request: OutboundRequest, url: string): OutboundRequest | undefined {
  if (new URL(request.url).href === url) return request;
  const isRepeatable = ['GET', 'HEAD'].includes(request.method.toUpperCase());
  return isRepeatable && new URL(request.url).origin === new URL(url).origin ? { ...request, url } : undefined;
}

function challengeHeader({ headers }: OutboundResponse): string {
  const header = headers['www-authenticate'];
  return typeof header === 'string' ? header : (header ?? []).join(', ');
}

/** The value of the Authorization header that proves knowledge of the password. */
export function proofOf(
  challenge: DigestChallenge,
  request: Pick<OutboundRequest, 'method' | 'url' | 'body'>,
  user: string,
  password: string,
  cnonce: string,
): string {
  const { realm, nonce, opaque, algorithm, isSession, quality, hidesUser } = challenge;
  const hash = (text: string | Uint8Array): string => createHash(challenge.hash).update(text).digest('hex');
  const { pathname, search } = new URL(request.url);
  const uri = pathname + search;
  const count = '00000001';
  const secret = hash(`${user}:${realm}:${password}`);
  const a1 = isSession ? hash(`${secret}:${nonce}:${cnonce}`) : secret;
  const body = request.body instanceof Uint8Array ? request.body : '';
  const a2 = hash(`${request.method.toUpperCase()}:${uri}${quality === 'auth-int' ? `:${hash(body)}` : ''}`);
  const response = hash(
    quality === undefined ? `${a1}:${nonce}:${a2}` : `${a1}:${nonce}:${count}:${cnonce}:${quality}:${a2}`,
  );
  const fields = [
    ...nameFields(hidesUser ? hash(`${user}:${realm}`) : user),
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `response="${response}"`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(quality === undefined ? [] : [`qop=${quality}`, `nc=${count}`]),
    ...(quality === undefined && !isSession ? [] : [`cnonce="${cnonce}"`]),
    ...(hidesUser ? ['userhash=true'] : []),
  ];
  return `Digest ${fields.join(', ')}`;
}

/** Non-ASCII names are encoded as in RFC 8187. */
function nameFields(user: string): string[] {
  return /^[\x20-\x7e]*$/.test(user)
    ? [`username=${quoted(user)}`]
    : [`username*=UTF-8''${encodeURIComponent(user).replaceAll("'", '%27')}`];
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll(/[\r\n]/g, '')}"`;
}
