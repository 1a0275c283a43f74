/** Hash functions of digest authentication, the strongest first. */
export const DIGEST_HASHES = { 'SHA-512-256': 'sha512-256', 'SHA-256': 'sha256', MD5: 'md5' } as const;

type HashName = keyof typeof DIGEST_HASHES;
const HASH_NAMES: readonly HashName[] = ['SHA-512-256', 'SHA-256', 'MD5'];

/** A server's challenge (RFC 7616). */
export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  /** As sent by the server; undefined, which means MD5, if the server sent none. */
  readonly algorithm: string | undefined;
  readonly hash: (typeof DIGEST_HASHES)[HashName];
  /** True for the `-sess` variants. */
  readonly isSession: boolean;
  /** `auth` is preferred; undefined for servers of the older standard. */
  readonly quality: 'auth' | 'auth-int' | undefined;
  /** True if the user name must be hashed as well. */
  readonly hidesUser: boolean;
  /** True if only the nonce was stale. */
  readonly isStale: boolean;
}

const MAX_HEADER = 8_192;
const PARAMETER = /^[\s,]*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/;
const SCHEME = /^[\s,]*([\w!#$%&'*+.^`|~-]+)(?:\s|$)/;

/** The strongest supported digest challenge in a WWW-Authenticate header; undefined if there is none. */
export function digestChallengeOf(header: string): DigestChallenge | undefined {
  const challenges = challengesIn(header.slice(0, MAX_HEADER)).flatMap(({ scheme, parameters }) =>
    scheme === 'digest' ? (challengeOf(parameters) ?? []) : [],
  );
  const strength = ({ hash }: DigestChallenge): number => HASH_NAMES.findIndex((name) => DIGEST_HASHES[name] === hash);
  return challenges.sort((a, b) => strength(a) - strength(b))[0];
}

function challengeOf(parameters: ReadonlyMap<string, string>): DigestChallenge | undefined {
  const algorithm = parameters.get('algorithm');
  const isSession = /-sess$/i.test(algorithm ?? '');
  const name = HASH_NAMES.find((one) => one === (algorithm ?? 'MD5').replace(/-sess$/i, '').toUpperCase());
  const nonce = parameters.get('nonce');
  const offered = parameters
    .get('qop')
    ?.split(',')
    .map((one) => one.trim().toLowerCase());
  const quality =
    offered?.includes('auth') === true ? 'auth' : offered?.includes('auth-int') === true ? 'auth-int' : undefined;
  if (name === undefined || nonce === undefined || (offered !== undefined && quality === undefined)) return undefined;
  return {
    realm: parameters.get('realm') ?? '',
    nonce,
    opaque: parameters.get('opaque'),
    algorithm,
    hash: DIGEST_HASHES[name],
    isSession,
    quality,
    hidesUser: parameters.get('userhash')?.toLowerCase() === 'true',
    isStale: parameters.get('stale')?.toLowerCase() === 'true',
  };
}

interface Challenge {
  readonly scheme: string;
  readonly parameters: Map<string, string>;
}

/** A header may contain several challenges, separated by commas like their parameters. */
function challengesIn(header: string): Challenge[] {
  const challenges: Challenge[] = [];
  let rest = header;
  while (rest !== '') {
    const parameter = PARAMETER.exec(rest);
    const scheme = parameter === null ? SCHEME.exec(rest) : null;
    const found = parameter ?? scheme;
    if (found === null) break;
    rest = rest.slice(found[0].length);
    if (scheme !== null) challenges.push({ scheme: (scheme[1] ?? '').toLowerCase(), parameters: new Map() });
    else
      challenges
        .at(-1)
        ?.parameters.set(
          (parameter?.[1] ?? '').toLowerCase(),
          parameter?.[3] ?? (parameter?.[2] ?? '').replaceAll(/\\(.)/g, '$1'),
        );
  }
  return challenges;
}
