import { closeAfterEach, keptLog } from '@weft/service-kit/testing';
import { startProvider, type TestProvider } from '../peers/provider';
import { gatewaysOfEachTest, type TestGateway } from '../support/start-gateway';

const UNAVAILABLE = '/console/#refused=unavailable';

describe('a sign-in with an identity provider that does not respond', () => {
  const start = gatewaysOfEachTest();
  const later = closeAfterEach();
  const log = keptLog('error');
  let provider: TestProvider;
  let gateway: TestGateway;
  beforeEach(async () => {
    provider = later(await startProvider(), ({ stop }) => stop());
    gateway = await start({ ...provider.variables, TRUST_PROXY: '1' }, log.logger);
  });

  const begin = async (client: string) => {
    const { headers } = await gateway.ask('GET', '/settings/oidc/begin', { headers: { 'x-forwarded-for': client } });
    return { location: headers.get('location') ?? '' };
  };

  it('ends after 10 s, with four slots per client until then, and others for other clients', async () => {
    provider.answer('/.well-known/openid-configuration', () => undefined);
    const locations = (clients: readonly string[]) =>
      Promise.all(clients.map(async (client) => (await begin(client)).location));
    const [ofOne, ofOther] = await Promise.all([
      locations(Array<string>(5).fill('192.0.2.1')),
      locations(['192.0.2.2']),
    ]);
    // After 10 s all callers with a slot get an error.
    expect(ofOne.sort()).toEqual(['/console/#refused=busy', ...Array<string>(4).fill(UNAVAILABLE)]);
    expect(ofOther).toEqual([UNAVAILABLE]);
  });

  it('logs no error', () => {
    expect(log.lines).toEqual([]);
  });
});
