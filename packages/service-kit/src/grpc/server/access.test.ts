import { Metadata } from '@grpc/grpc-js';
import { Unauthorized } from '../../errors';
import { authenticate, type Authentication } from './access';

const METHOD = '/weft.executions.v1.ExecutionService/GetExecution';
const PEER = '192.0.2.7:4711';

const metadataOf = (entries: Readonly<Record<string, string>>): Metadata => {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(entries)) metadata.set(key, value);
  return metadata;
};

const authentication = (isGranted: boolean): Authentication => ({
  verifyToken: (token) => {
    if (token !== 'valid') throw new Unauthorized('The signature of the service token is not valid.');
    return { service: 'gateway', principal: undefined };
  },
  verifyUser: () =>
    Promise.resolve({
      userId: 'u',
      email: 'u@example.test',
      role: 'editor',
      limit: 10,
      remaining: 0,
      resetAt: new Date(Date.now() + 30_000),
      isGranted,
    }),
  trustedCallers: ['gateway'],
});

describe('the caller of a gRPC method', () => {
  it('is the user of an API key, within the limit of that user', async () => {
    const metadata = metadataOf({ 'x-svc-api-key': 'weft_k' });
    expect(await authenticate(metadata, METHOD, PEER, authentication(true))).toEqual({
      service: undefined,
      principal: { userId: 'u', role: 'editor' },
    });
    await expect(authenticate(metadata, METHOD, PEER, authentication(false))).rejects.toMatchObject({
      reason: 'RATE_LIMIT_EXCEEDED',
      retryAfterSeconds: expect.any(Number),
    });
  });

  it('is refused without credentials, and with an invalid token even if the key is valid', async () => {
    await expect(authenticate(metadataOf({}), METHOD, PEER, authentication(true))).rejects.toMatchObject({
      reason: 'UNAUTHORIZED',
    });
    await expect(
      authenticate(
        metadataOf({ 'x-weft-service-token': 'x', 'x-svc-api-key': 'weft_k' }),
        METHOD,
        PEER,
        authentication(true),
      ),
    ).rejects.toMatchObject({ reason: 'UNAUTHORIZED' });
  });

  it.each([
    ['192.0.2.7:4711', '192.0.2.7'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
  ])('at %s is verified with the address %s if it sends a password', async (peer, clientAddress) => {
    const proofs: unknown[] = [];
    const { verifyUser, ...others } = authentication(true);
    const metadata = metadataOf({ authorization: `Basic ${Buffer.from('u:p').toString('base64')}` });
    await authenticate(metadata, METHOD, peer, {
      ...others,
      verifyUser: (proof) => {
        proofs.push(proof);
        return verifyUser(proof);
      },
    });
    expect(proofs).toEqual([{ kind: 'basic', username: 'u', password: 'p', clientAddress }]);
  });
});
