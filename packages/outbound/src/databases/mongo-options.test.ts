import { DatabaseFailed } from './databases';
import { checkedAddress } from './mongo-options';

describe('a connection string of MongoDB', () => {
  it.each([
    ['tlsCAFile=/etc/passwd'],
    ['tlsCertificateKeyFile=/etc/passwd'],
    ['proxyHost=10.0.0.1'],
    ['authMechanismProperties=ENVIRONMENT:azure'],
    ['authMechanism=MONGODB-AWS'],
    ['authMechanism=MONGODB-OIDC'],
    ['authMechanism=GSSAPI'],
    ['unknown=1'],
    ['TLSCAFILE=x'],
  ])('is refused with %s', (option) => {
    expect(() => checkedAddress(`mongodb://user:secret@host/?${option}`)).toThrow(DatabaseFailed);
  });

  it('is refused without the secret in the message', () => {
    for (const url of [
      'http://user:secret@host',
      'mongodb://user:sec/ret@host',
      'mongodb://user:secret@%2Ftmp%2Fm.sock',
    ])
      expect(() => checkedAddress(url)).toThrow(
        expect.objectContaining({ message: expect.not.stringMatching(/secret|sec\/ret/) }),
      );
  });

  it('preserves the options of the login and drops those that our limits replace', () => {
    const { url, host, servers } = checkedAddress(
      'mongodb://user:p%40ss@one.example:1,two.example/db?replicaSet=r&compressors=zlib&maxPoolSize=9&authSource=admin',
    );
    expect(url).toBe('mongodb://user:p%40ss@one.example:1,two.example/db?replicaSet=r&authSource=admin');
    expect({ host, servers }).toEqual({ host: 'one.example', servers: 2 });
  });

  it('leaves the number of servers to the record that lists them', () => {
    expect(checkedAddress('mongodb+srv://cluster.example.com/db')).toMatchObject({
      host: 'cluster.example.com',
      servers: undefined,
    });
  });
});
