import type { OutboundRequest, OutboundResponse } from '@weft/outbound';
import { digestExchange, proofOf } from './digest';
import { digestChallengeOf, type DigestChallenge } from './digest-challenge';

const REALM =
  'realm="http-auth@example.org", qop="auth, auth-int", ' +
  'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", ' +
  'opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';
const GET = { method: 'GET', url: 'http://www.example.org/dir/index.html' };
const challenge = (header: string): DigestChallenge => {
  const found = digestChallengeOf(header);
  if (found === undefined) throw new Error('No challenge found.');
  return found;
};
const responseIn = (proof: string): string | undefined => / response="([0-9a-f]+)"/.exec(proof)?.[1];

describe('a response to a digest challenge', () => {
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('matches RFC 7616 for %s', (algorithm, response) => {
    const proof = proofOf(
      challenge(`Digest ${REALM}, algorithm=${algorithm}`),
      GET,
      'Mufasa',
      'Circle of Life',
      'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
    );
    expect(responseIn(proof)).toBe(response);
    for (const part of [
      'username="Mufasa"',
      'uri="/dir/index.html"',
      `algorithm=${algorithm}`,
      'qop=auth',
      'nc=00000001',
      'opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
    ])
      expect(proof).toContain(part);
  });

  it('matches RFC 2617 for servers of the older standard', () => {
    const proof = proofOf(
      challenge(
        'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", ' +
          'opaque="5ccc069c403ebaf9f0171e9517f40e41"',
      ),
      GET,
      'Mufasa',
      'Circle Of Life',
      'unused',
    );
    expect(responseIn(proof)).toBe('670fd8c2df070c60b045671b8b24ff02');
    expect(proof).not.toMatch(/qop|nc=|cnonce|algorithm/);
  });

  it('hashes the user and the body if the server requires it, and encodes non-ASCII names', () => {
    const hashed = proofOf(
      challenge('Digest realm="r", nonce="n", qop="auth-int", userhash=true, algorithm=SHA-256-sess'),
      { ...GET, method: 'POST', body: Buffer.from('x') },
      'u',
      'p',
      'c',
    );
    expect(hashed).toMatch(/username="[0-9a-f]{64}".*qop=auth-int.*userhash=true/);
    expect(responseIn(hashed)).not.toBe(
      responseIn(
        proofOf(
          challenge('Digest realm="r", nonce="n", qop="auth-int", userhash=true, algorithm=SHA-256-sess'),
          { ...GET, method: 'POST', body: Buffer.from('y') },
          'u',
          'p',
          'c',
        ),
      ),
    );
    expect(proofOf(challenge('Digest realm="r", nonce="n"'), GET, 'Jäsøn', 'p', 'c')).toContain(
      "username*=UTF-8''J%C3%A4s%C3%B8n",
    );
    expect(proofOf(challenge('Digest realm="a \\"b\\"", nonce="n"'), GET, 'u"v', 'p', 'c')).toContain(
      'username="u\\"v", realm="a \\"b\\""',
    );
  });
});

describe('a digest challenge', () => {
  it('is the strongest of the supported ones', () => {
    expect(
      digestChallengeOf(
        `Basic realm="x", Digest ${REALM}, algorithm=MD5, Digest ${REALM}, algorithm=SHA-256, Digest ${REALM}, ` +
          'algorithm=SHA-999',
      ),
    ).toMatchObject({ hash: 'sha256', quality: 'auth', isSession: false });
  });

  it.each([
    '',
    'Basic realm="x"',
    'Negotiate',
    'Digest realm="no nonce"',
    'Digest nonce="n", qop="other"',
    'Digest nonce="n", algorithm=TOKEN',
    '"',
    '=,=,',
  ])('is not found in %j', (header) => {
    expect(digestChallengeOf(header)).toBeUndefined();
  });
});

describe('a request with digest authentication', () => {
  const request: OutboundRequest = { ...GET, headers: [['x-a', '1']], timeoutMs: 1_000, followRedirects: true };
  const answer = (status: number, header?: string, url = GET.url): OutboundResponse => ({
    status,
    statusText: '',
    headers: header === undefined ? {} : { 'www-authenticate': header },
    body: new Uint8Array(),
    url,
  });
  const run = async (answers: OutboundResponse[], over: Partial<OutboundRequest> = {}) => {
    const sent: OutboundRequest[] = [];
    const response = await digestExchange(
      'u',
      'p',
      () => 'c',
    )({ ...request, ...over }, async (one) => {
      sent.push(one);
      const next = answers[sent.length - 1];
      if (next === undefined) throw new Error('More requests were sent than expected.');
      return next;
    });
    return {
      status: response.status,
      sent,
      proofs: sent.map(({ headers }) => headers?.find(([name]) => name === 'Authorization')?.[1]),
    };
  };
  const FRESH = 'Digest realm="r", nonce="n1", qop="auth"';

  it('sends no proof without a challenge', async () => {
    expect(await run([answer(200)])).toMatchObject({ status: 200, proofs: [undefined] });
    expect(await run([answer(401, 'Basic realm="r"')])).toMatchObject({ status: 401, proofs: [undefined] });
  });

  it('responds once, and once more for a stale nonce', async () => {
    expect((await run([answer(401, FRESH), answer(200)])).proofs[1]).toMatch(/^Digest .*nonce="n1"/);
    expect(await run([answer(401, FRESH), answer(401, FRESH)])).toMatchObject({ status: 401 });
    const stale = await run([
      answer(401, FRESH),
      answer(401, 'Digest realm="r", nonce="n2", qop="auth", stale=true'),
      answer(200),
    ]);
    expect(stale.proofs[2]).toMatch(/nonce="n2"/);
    expect(stale.sent[2]?.headers?.filter(([name]) => name === 'Authorization')).toHaveLength(1);
    expect(stale.sent[2]?.secretHeaders).toContain('Authorization');
  });

  it('follows a redirect within the origin, and sends no proof to other origins', async () => {
    const moved = await run([answer(401, FRESH, 'http://www.example.org/other'), answer(200)]);
    expect(moved.proofs[1]).toContain('uri="/other"');
    expect((await run([answer(401, FRESH, 'http://elsewhere.example/')])).status).toBe(401);
    expect((await run([answer(401, FRESH, 'http://www.example.org/other')], { method: 'POST' })).status).toBe(401);
  });
});
