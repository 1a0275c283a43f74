import { InvalidRequest } from '@weft/service-kit/errors';

const HASH = /^[0-9a-f]{64}$/;

/** The hash of a token that a runner names, if it names one. @throws InvalidRequest for what is none */
export const checkTokenHash = (hash: string | undefined): string | undefined => {
  if (hash === undefined || hash === '') return undefined;
  if (HASH.test(hash)) return hash;
  throw new InvalidRequest('The hash of a token is not valid.', [
    { field: 'resumeTokenHash', message: 'must be SHA-256 in lower-case hexadecimal' },
  ]);
};
