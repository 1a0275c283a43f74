import { type HashName, HASH_NAMES, oneTimePassword, readBase32, secondsRemaining } from './one-time-password';

const keyOf = (length: number): Uint8Array => Buffer.from('1234567890'.repeat(7).slice(0, length));

/** Test vectors of RFC 6238, appendix B: seconds, code under SHA-1, SHA-256 and SHA-512. */
const VECTORS: readonly (readonly [number, string, string, string])[] = [
  [59, '94287082', '46119246', '90693936'],
  [1_111_111_109, '07081804', '68084774', '25091201'],
  [1_111_111_111, '14050471', '67062674', '99943326'],
  [1_234_567_890, '89005924', '91819424', '93441116'],
  [2_000_000_000, '69279037', '90698825', '38618901'],
  [20_000_000_000, '65353130', '77737706', '47863826'],
];

describe('a one-time password', () => {
  it.each(VECTORS)('at second %d matches RFC 6238', (second, sha1, sha256, sha512) => {
    const code = (algorithm: HashName, bytes: number): string =>
      oneTimePassword(keyOf(bytes), second * 1_000, { algorithm, digits: 8, period: 30 });
    expect([code('SHA1', 20), code('SHA256', 32), code('SHA512', 64)]).toEqual([sha1, sha256, sha512]);
  });

  it.each(HASH_NAMES)('has the configured number of digits under %s', (algorithm) => {
    expect(oneTimePassword(keyOf(20), 59_000, { algorithm, digits: 6, period: 30 })).toMatch(/^\d{6}$/);
  });

  it.each([
    [0, 30],
    [500, 29],
    [29_999, 0],
    [30_000, 30],
  ])('at millisecond %d is valid for %d s', (now, seconds) => {
    expect(secondsRemaining(now, 30)).toBe(seconds);
  });
});

describe('a key in Base32', () => {
  it.each(['GEZDGNBV', 'gezd gnbv', 'GEZD-GNBV', 'GEZDGNBV==='])('is read from %s', (text) => {
    expect(Buffer.from(readBase32(text)).toString()).toBe('12345');
  });

  it('does not appear in the error about it', () => {
    expect(() => readBase32('SECRET1')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('SECRET1') }),
    );
  });
});
