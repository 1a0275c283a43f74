import { createVerifyUser, rateLimitExceeded, type Verification } from './verify-user';
import type { UserProof } from './user-proof';

const proof: UserProof = { kind: 'api-key', apiKey: 'k' };
const verification = (granted: number, remaining: number): Verification => ({
  granted,
  user: {
    userId: 'u',
    email: 'u@example.test',
    role: 'editor',
    limit: 100,
    remaining,
    resetAt: new Date(Date.now() + 4_200),
  },
});

describe('verifying users', () => {
  it('shares one call between concurrent requests of one key and counts each of them in the window', async () => {
    const counts: number[] = [];
    const verify = createVerifyUser((_, count) => {
      counts.push(count);
      return Promise.resolve(verification(2, 0));
    });
    const users = await Promise.all([verify(proof), verify(proof), verify(proof)]);
    expect(counts).toEqual([3]);
    expect(users.map((user) => [user.isGranted, user.remaining])).toEqual([
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
  });

  it('does not reuse the result of an earlier call', async () => {
    let isDeleted = false;
    const verify = createVerifyUser(() =>
      isDeleted ? Promise.reject(new Error('deleted')) : Promise.resolve(verification(1, 5)),
    );
    await verify(proof);
    isDeleted = true;
    await expect(verify(proof)).rejects.toThrow('deleted');
  });

  it('never mixes two keys', async () => {
    const asked: string[] = [];
    const verify = createVerifyUser((asking) => {
      asked.push(asking.kind === 'api-key' ? asking.apiKey : '');
      return Promise.resolve(verification(1, 1));
    });
    await Promise.all([verify(proof), verify({ kind: 'api-key', apiKey: 'other' })]);
    expect(asked.sort()).toEqual(['k', 'other']);
  });

  it('reports whole seconds until the window ends', () => {
    expect(rateLimitExceeded(verification(0, 0).user)).toMatchObject({
      reason: 'RATE_LIMIT_EXCEEDED',
      retryAfterSeconds: 5,
    });
  });
});
