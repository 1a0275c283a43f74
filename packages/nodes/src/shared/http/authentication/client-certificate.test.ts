import type { OutboundRequest } from '@weft/outbound';
import { runNode } from '../../../http-request/testing/run-node';
import { clientCertificateOf } from './client-certificate';

describe('a credential with a client certificate', () => {
  it('is restored if its line breaks were lost', () => {
    const whole = '-----BEGIN CERTIFICATE-----\nAAAA\nBB==\n-----END CERTIFICATE-----';
    for (const cert of [whole, whole.replaceAll('\n', '\\n'), whole.replaceAll('\n', ' ')])
      expect(clientCertificateOf({ cert, key: 'k', ca: '', passphrase: 'p' })).toEqual({
        cert: whole,
        key: 'k',
        passphrase: 'p',
      });
    expect(() => clientCertificateOf({ cert: whole })).toThrow(/only one of "cert" and "key"/);
  });

  it.each([3, 4.4])(
    'is sent with requests of version %s that ask for it, alongside another credential',
    async (version) => {
      const sent: OutboundRequest[] = [];
      const http = {
        request: async (request: OutboundRequest) => {
          sent.push(request);
          return { status: 200, statusText: 'OK', headers: {}, body: new Uint8Array(), url: request.url };
        },
      };
      const parameters = {
        url: 'https://example.com/',
        authentication: 'genericCredentialType',
        genericAuthType: 'httpBearerAuth',
      };
      const credentials = { httpSslAuth: { cert: 'c', key: 'k' }, httpBearerAuth: { token: 'the-token' } };
      await runNode(http, { version, parameters: { ...parameters, provideSslCertificates: true }, credentials });
      await runNode(http, { version, parameters, credentials });
      expect(sent.map(({ clientCertificate }) => clientCertificate)).toEqual([{ cert: 'c', key: 'k' }, undefined]);
      expect(sent[0]?.headers).toContainEqual(['Authorization', 'Bearer the-token']);
    },
  );
});
