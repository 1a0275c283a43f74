import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nkeys } from 'nats';
import { connectionOptions, type NatsSettings } from './connection-options';

const natsUrl = 'nats://a:4222';
const tlsUrl = 'tls://a:4222';

describe('NATS settings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nats-settings-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  it('allow several servers', () => {
    expect(connectionOptions({ natsUrl: 'nats://a:4222, nats://b:4222' })).toEqual({
      servers: ['nats://a:4222', 'nats://b:4222'],
    });
  });

  it('require TLS with tls://', () => {
    expect(connectionOptions({ natsUrl: tlsUrl }).tls).toEqual({});
  });

  it('pass on the TLS files', () => {
    const pem = file('some.pem', 'PEM');
    expect(connectionOptions({ natsUrl: tlsUrl, natsCaFile: pem, natsCertFile: pem, natsKeyFile: pem }).tls).toEqual({
      caFile: pem,
      certFile: pem,
      keyFile: pem,
    });
  });

  it.each<[string, NatsSettings, RegExp]>([
    ['a user in the address', { natsUrl: 'nats://me:secret@a:4222' }, /Set NATS_USER and NATS_PASSWORD instead/],
    ['an address of another kind', { natsUrl: 'a:4222' }, /must name servers as nats/],
    ['secured and other servers', { natsUrl: `${natsUrl},${tlsUrl}` }, /must not mix/],
    ['a user without a password', { natsUrl, natsUser: 'me' }, /must be set together/],
    ['a password without a user', { natsUrl, natsPassword: 'secret' }, /must be set together/],
    ['two ways of authentication', { natsUrl, natsUser: 'me', natsPassword: 'x', natsToken: 'y' }, /one way/],
    ['a seed that is not there', { natsUrl, natsNkeyFile: '/not/there' }, /NATS_NKEY_FILE: "\/not\/there" cannot be/],
    ['credentials that are not there', { natsUrl, natsCredsFile: '/not/there' }, /NATS_CREDS_FILE: "\/not\/there"/],
    ['an authority that is not there', { natsUrl: tlsUrl, natsCaFile: '/not/there' }, /NATS_CA_FILE: "\/not\/there"/],
    ['a certificate without its key', { natsUrl: tlsUrl, natsCertFile: '/c' }, /NATS_KEY_FILE must be set together/],
  ])('refuse %s', (_, settings, message) => {
    expect(() => connectionOptions(settings)).toThrow(message);
  });

  it('refuse TLS files without TLS', () => {
    const pem = file('some.pem', 'PEM');
    expect(() => connectionOptions({ natsUrl, natsCaFile: pem })).toThrow('NATS_CA_FILE: NATS_URL must start with tls');
  });

  it('refuse an invalid seed without showing it', () => {
    const seed = file('bad.nkey', 'SUNOTASEED');
    const read = (): unknown => connectionOptions({ natsUrl, natsNkeyFile: seed });
    expect(read).toThrow(/NATS_NKEY_FILE: ".*bad\.nkey" cannot be used/);
    expect(read).not.toThrow(/SUNOTASEED/);
  });

  it('re-read a seed for each connection, and retain the last usable one', () => {
    const [first, second] = [nkeys.createUser(), nkeys.createUser()];
    const seed = file('user.nkey', first.getSeed());
    const { authenticator } = connectionOptions({ natsUrl, natsNkeyFile: seed });
    const shown = (): unknown => typeof authenticator === 'function' && authenticator('nonce');
    expect(shown()).toMatchObject({ nkey: first.getPublicKey() });
    file('user.nkey', `${new TextDecoder().decode(second.getSeed())}\n`);
    expect(shown()).toMatchObject({ nkey: second.getPublicKey() });
    file('user.nkey', '');
    expect(shown()).toMatchObject({ nkey: second.getPublicKey() });
  });
});
