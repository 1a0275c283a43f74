import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildServers, type Report } from '@weft/local-stack';
import type { Source } from './source';

/** A Debian package as `packages.json` of a server names it. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly source: string;
  readonly sourceVersion: string;
  readonly sha256: string;
}

/** The bill of materials of the Debian packages in an archive, in CycloneDX, with the source package of each. */
export function describePackages(packages: readonly DebianPackage[], version: string): object {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'weft-servers', version, 'bom-ref': 'weft-servers' } },
    components: packages.map(({ name, version: packageVersion, architecture, source, sourceVersion, sha256 }) => ({
      type: 'library',
      name,
      version: packageVersion,
      purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(packageVersion)}?arch=${architecture}`,
      hashes: [{ alg: 'SHA-256', content: sha256 }],
      properties: [{ name: 'debian:source', value: `${source} ${sourceVersion}` }],
    })),
  };
}

/** Writes `weft-servers.cdx.json` for the servers that the archive includes. */
export async function describeServers(source: Source, cache: string, out: string, report: Report): Promise<void> {
  const lists = (await buildServers(cache, report)).map((folder) => join(folder, 'packages.json')).filter(existsSync);
  const packages = lists.flatMap((file): readonly DebianPackage[] => JSON.parse(readFileSync(file, 'utf8')));
  const text = JSON.stringify(describePackages(packages, source.version), undefined, 2);
  writeFileSync(join(out, 'weft-servers.cdx.json'), `${text}\n`);
}
