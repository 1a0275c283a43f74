import { describePackages } from './servers-sbom';

describe('the bill of materials of included servers', () => {
  it('names the version, the sum and the source of each package', () => {
    const [name, version] = ['postgresql-18-postgis-3', '3.7.0+dfsg-1'];
    const sha256 = 'a'.repeat(64);
    const list = [{ name, version, architecture: 'amd64', source: 'postgis', sourceVersion: version, sha256 }];
    expect(describePackages(list, '0.2.0')).toMatchObject({
      bomFormat: 'CycloneDX',
      components: [
        {
          name,
          version,
          purl: 'pkg:deb/debian/postgresql-18-postgis-3@3.7.0%2Bdfsg-1?arch=amd64',
          hashes: [{ alg: 'SHA-256', content: sha256 }],
          properties: [{ name: 'debian:source', value: 'postgis 3.7.0+dfsg-1' }],
        },
      ],
    });
  });
});
