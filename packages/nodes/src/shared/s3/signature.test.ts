import { signedHeaders } from './s3-client';

/** Keys, time and signatures come from the examples in the Amazon S3 API reference. */
const account = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const AT = '20130524T000000Z';
const HOST = 'https://examplebucket.s3.amazonaws.com';

const signatureOf = async (
  url: string,
  request: Omit<Parameters<typeof signedHeaders>[2], 'region'>,
): Promise<string> => {
  const headers = new Map(await signedHeaders(account, new URL(url), { ...request, region: 'us-east-1' }, AT));
  return headers.get('authorization') ?? '';
};

describe('the signature of a request', () => {
  it('matches the published example for a file', async () => {
    const signed = await signatureOf(`${HOST}/test.txt`, { method: 'GET', headers: { range: 'bytes=0-9' } });
    expect(signed).toContain('Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request');
  });

  it('matches the published example for the life cycle of a bucket', async () => {
    expect(await signatureOf(`${HOST}/?lifecycle=`, { method: 'GET' })).toContain(
      'Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    );
  });

  it('matches the published example for a list', async () => {
    expect(await signatureOf(`${HOST}/?max-keys=2&prefix=J`, { method: 'GET' })).toContain(
      'Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    );
  });

  it('covers the token of temporary keys, and hides the secret', async () => {
    const headers = await signedHeaders(
      { ...account, sessionToken: 'token-1' },
      new URL(`${HOST}/a`),
      { method: 'PUT', body: Buffer.from('x'), region: 'eu-west-1' },
      AT,
    );
    expect(headers).toContainEqual(['x-amz-security-token', 'token-1']);
    expect(new Map(headers).get('authorization')).toContain('x-amz-security-token');
    expect(JSON.stringify(headers)).not.toContain(account.secretAccessKey);
  });
});
