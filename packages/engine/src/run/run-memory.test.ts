import { bytesOutlived } from '@weft/service-kit/testing';
import { bindResumeToken, createResumeTokens, hashOfToken, knownTokenHash, resumeTokenOf } from './run-memory';

describe('the token that wakes a run', () => {
  const tokenOf = createResumeTokens('a secret');
  const first = '0197f0c0-0000-7000-8000-000000000001';

  it('is the same on every attempt, so that an address issued by a runner that died still wakes it', () => {
    const attempts = [{}, {}].map((memory) => {
      bindResumeToken(memory, first, tokenOf);
      return resumeTokenOf(memory);
    });
    expect(attempts).toEqual([tokenOf(first), tokenOf(first)]);
    expect(tokenOf(first)).toMatch(/^[\w-]{43}$/);
  });

  it('differs from run to run and from secret to secret', () => {
    const tokens = [tokenOf(first), tokenOf(first.replace(/1$/, '2')), createResumeTokens('another')(first)];
    expect(new Set(tokens).size).toBe(3);
  });

  it('that a run has stored is reused, however others are made', () => {
    const memory = { resumeToken: 'kept' };
    bindResumeToken(memory, first, tokenOf);
    expect([resumeTokenOf(memory), knownTokenHash(memory)]).toEqual(['kept', hashOfToken('kept')]);
  });

  it('is not made before it is requested, and is random by default', () => {
    const memory = {};
    bindResumeToken(memory, first, tokenOf);
    expect(knownTokenHash(memory)).toBeUndefined();
    expect(resumeTokenOf({})).not.toBe(resumeTokenOf({}));
  });

  it('keeps nothing of a run that is over', async () => {
    const bytes = await bytesOutlived(400, (index) => {
      const items = Array.from({ length: 100 }, (_, item) => ({ item, text: `item ${item}` }));
      bindResumeToken({ items }, `execution ${index}`, tokenOf);
    });
    expect(bytes).toBeLessThan(1_000);
  });
});
