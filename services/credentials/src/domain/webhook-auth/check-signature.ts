import { createHmac } from 'node:crypto';
import type { JsonObject } from '@weft/service-kit/json';
import { isSameSecret } from '../same-secret';
import { grantedBy, MISSING, WRONG, type AuthOutcome, type Headers } from './outcome';

/** Maximum difference in seconds between the signed time and ours: replayed requests are too old. */
const TOLERANCE_S = 300;

/** Maximum signatures compared per header: senders that change their secret send two for a while. */
const MAX_SIGNATURES = 10;

/** The signature claimed by a request. */
interface Claim {
  /** HMAC-SHA256 values in hexadecimal, any of which must match. */
  readonly signatures: readonly string[];
  /** Text that is signed before the body. */
  readonly prefix: string;
  /** Signing time in Unix seconds; absent: the scheme has no timestamp. */
  readonly time?: number;
}

interface Scheme {
  /** Lower-case name of the header with the signature. */
  readonly header: string;
  /** The claimed signature of a request; undefined if the headers are malformed. */
  readonly read: (signature: string, headers: Headers) => Claim | undefined;
}

const HEX = /^[0-9a-f]{64}$/i;

const readGithub = (signature: string): Claim | undefined => {
  const [name, value = ''] = signature.split('=');
  return name === 'sha256' ? { signatures: [value], prefix: '' } : undefined;
};

const readStripe = (signature: string): Claim | undefined => {
  const parts = signature.split(',').map((part) => part.trim().split('='));
  const valuesOf = (wanted: string): string[] =>
    parts.flatMap(([name, value = '']) => (name === wanted ? [value] : []));
  const [time = ''] = valuesOf('t');
  return /^\d{1,12}$/.test(time)
    ? { signatures: valuesOf('v1').slice(0, MAX_SIGNATURES), prefix: `${time}.`, time: Number(time) }
    : undefined;
};

const readSlack = (signature: string, headers: Headers): Claim | undefined => {
  const time = headers.get('x-slack-request-timestamp') ?? '';
  const [name, value = ''] = signature.split('=');
  return name === 'v0' && /^\d{1,12}$/.test(time)
    ? { signatures: [value], prefix: `v0:${time}:`, time: Number(time) }
    : undefined;
};

const SCHEMES: ReadonlyMap<unknown, Scheme> = new Map<string, Scheme>([
  ['github', { header: 'x-hub-signature-256', read: readGithub }],
  ['stripe', { header: 'stripe-signature', read: readStripe }],
  ['slack', { header: 'x-slack-signature', read: readSlack }],
]);

const isRecent = (time: number | undefined, now: Date): boolean =>
  time === undefined || Math.abs(now.getTime() / 1_000 - time) <= TOLERANCE_S;

/**
 * Checks the HMAC-SHA256 of a request's raw body against a credential of type webhookSignature. A missing or malformed
 * signature, or an outdated timestamp, is refused without the body.
 * @param body undefined: not read yet
 */
export const checkSignature = (
  { scheme, secret }: JsonObject,
  headers: Headers,
  now: Date,
  body: Buffer | undefined,
): AuthOutcome => {
  const known = SCHEMES.get(scheme);
  if (known === undefined || typeof secret !== 'string' || secret === '') return WRONG;
  const sent = headers.get(known.header);
  if (sent === undefined) return MISSING;
  const claim = known.read(sent, headers);
  const signatures = claim?.signatures.filter((signature) => HEX.test(signature)) ?? [];
  if (claim === undefined || signatures.length === 0 || !isRecent(claim.time, now)) return WRONG;
  if (body === undefined) return { kind: 'needs-body', secretHeader: known.header };
  const right = createHmac('sha256', secret).update(claim.prefix).update(body).digest('hex');
  return signatures.some((signature) => isSameSecret(signature.toLowerCase(), right)) ? grantedBy(known.header) : WRONG;
};
