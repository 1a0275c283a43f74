import { createHashPassword, matchesPassword, NO_PASSWORD, PASSWORD_COST_LOG2 } from './password';

const hashPassword = createHashPassword(PASSWORD_COST_LOG2);

describe('a hashed password', () => {
  it('matches its password and no other', async () => {
    const stored = await hashPassword('correct horse');
    expect(stored).toMatch(/^scrypt\$15\$8\$[A-Za-z0-9+/=]{24}\$[A-Za-z0-9+/=]{44}$/);
    expect(await matchesPassword('correct horse', stored, '')).toBe(true);
    expect(await matchesPassword('correct horsf', stored, '')).toBe(false);
    expect(await matchesPassword('', stored, '')).toBe(false);
  });

  it('matches at any cost', async () => {
    const stored = await createHashPassword(4)('correct horse');
    expect(stored).toMatch(/^scrypt\$4\$8\$/);
    expect(await matchesPassword('correct horse', stored, '')).toBe(true);
    expect(await matchesPassword('correct horsf', stored, '')).toBe(false);
  });

  it('differs each time', async () => {
    expect(await hashPassword('correct horse')).not.toBe(await hashPassword('correct horse'));
  });

  it('matches equal characters in any Unicode normalisation', async () => {
    expect(await matchesPassword('pa\u0308sswort lang', await hashPassword('p\u00e4sswort lang'), '')).toBe(true);
  });

  it('matches nothing for an unknown user', async () => {
    expect(await matchesPassword('', NO_PASSWORD, '')).toBe(false);
  });

  it('is refused under a flood of checks, and works afterwards', async () => {
    const stored = await hashPassword('correct horse');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 25 }, () => matchesPassword('correct horse', stored, '')),
    );
    const refused = outcomes.flatMap((outcome): unknown[] => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toHaveLength(3);
    for (const refusal of refused) expect(refusal).toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    expect(await matchesPassword('correct horse', stored, '')).toBe(true);
  });

  it('waits for at most four checks of one address, so that one address cannot keep others waiting', async () => {
    const stored = await hashPassword('correct horse');
    const flood = Array.from({ length: 25 }, () => matchesPassword('wrong horse', stored, '192.0.2.1'));
    const other = matchesPassword('correct horse', stored, '192.0.2.2');
    const outcomes = await Promise.allSettled(flood);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    expect(await other).toBe(true);
  });
});
