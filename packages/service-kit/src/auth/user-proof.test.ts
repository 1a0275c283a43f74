import { readUserProof } from './user-proof';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('the credentials of an external caller', () => {
  it('prefer the API key', () => {
    expect(readUserProof('weft_k', undefined, '192.0.2.7')).toEqual({
      kind: 'api-key',
      apiKey: 'weft_k',
      clientAddress: '192.0.2.7',
    });
    expect(readUserProof('weft_k', basic('u:p'), '')).toMatchObject({ kind: 'api-key', apiKey: 'weft_k' });
    expect(readUserProof('', basic('u:p'), '')).toBeUndefined();
  });

  it('are otherwise a name and a password, which may contain colons', () => {
    expect(readUserProof(undefined, basic('u@example.test:p:w'), '192.0.2.7')).toEqual({
      kind: 'basic',
      username: 'u@example.test',
      password: 'p:w',
      clientAddress: '192.0.2.7',
    });
  });

  it.each([
    ['nothing', undefined],
    ['another scheme', 'Bearer abc'],
    ['what is not base64', 'Basic !!!'],
    ['no colon', basic('user')],
    ['no name', basic(':password')],
  ])('is absent for %s', (_, authorization) => {
    expect(readUserProof(undefined, authorization, '')).toBeUndefined();
  });

  it('are refused beyond a thousand characters', () => {
    expect(readUserProof('k'.repeat(1_000), undefined, '')).toBeDefined();
    expect(readUserProof('k'.repeat(1_001), undefined, '')).toBeUndefined();
    expect(readUserProof(undefined, basic(`u:${'p'.repeat(700)}`), '')).toBeDefined();
    expect(readUserProof(undefined, basic(`u:${'p'.repeat(800)}`), '')).toBeUndefined();
  });
});
