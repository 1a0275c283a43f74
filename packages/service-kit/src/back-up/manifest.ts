import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../json';
import type { FileFacts } from './document-file';
import { BackUpError } from './plan';

/** Version of the backup format. Only newer releases can read a newer format. */
const FORMAT = 1;
const MANIFEST = 'manifest.json';
/** A manifest has a line for each collection; a service has about twenty. */
const MAX_COLLECTIONS = 200;

/** Contents of the backup of one service. */
export interface Manifest {
  readonly format: number;
  /** Release of Weft that created it. */
  readonly release: string;
  readonly service: string;
  readonly beganAt: string;
  readonly endedAt: string;
  /** Files by collection: `<collection>.bson.gz`. */
  readonly collections: Readonly<Record<string, FileFacts>>;
  /** Ids of the master keys needed to decrypt the sealed values. */
  readonly masterKeys: readonly string[];
  /** Documents that kept changing while their parts were read: `<collection>/<id>`. */
  readonly unsettled: readonly string[];
}

/** Path of the file of a collection in a backup folder. */
export const fileOf = (folder: string, collection: string): string => join(folder, `${collection}.bson.gz`);

/** Writes the manifest, which completes the backup. */
export const writeManifest = (folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> =>
  writeFile(join(folder, MANIFEST), `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
const isFacts = (value: unknown): value is FileFacts =>
  isObject(value) && Number.isSafeInteger(value['documents']) && /^[0-9a-f]{64}$/.test(String(value['sha256']));
const isCollections = (value: unknown): value is Manifest['collections'] =>
  isObject(value) &&
  Object.keys(value).length <= MAX_COLLECTIONS &&
  // A name becomes a path.
  Object.entries(value).every(([name, facts]) => /^\w{1,64}$/.test(name) && isFacts(facts));

const isManifest = (value: unknown): value is Manifest =>
  isObject(value) &&
  ['release', 'service', 'beganAt', 'endedAt'].every((name) => typeof value[name] === 'string') &&
  isCollections(value['collections']) &&
  isTexts(value['masterKeys']) &&
  isTexts(value['unsettled']);

const minorOf = (release: string): readonly [number, number] | undefined => {
  const [, major, minor] = /^(\d+)\.(\d+)\.\d+/.exec(release) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor)];
};

/** A release reads its own backups and those of the previous release. */
const isReadableBy = (release: string, maker: string): boolean => {
  const [own, other] = [minorOf(release), minorOf(maker)];
  if (own === undefined || other === undefined) return false;
  return own[0] === other[0] && (own[1] === other[1] || own[1] === other[1] + 1);
};

/**
 * Reads the manifest of a service's backup.
 * @param release the release that will read the backup
 * @throws BackUpError if there is no manifest, or if this release cannot read the backup
 */
export const readManifest = async (folder: string, service: string, release: string): Promise<Manifest> => {
  const path = join(folder, MANIFEST);
  let manifest: unknown;
  try {
    manifest = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new BackUpError(
      `${path} cannot be read, so this is not a complete back-up: ` +
        `${error instanceof Error ? error.message : String(error)}. Use another one.`,
    );
  }
  if (isObject(manifest) && manifest['format'] !== FORMAT)
    throw new BackUpError(
      `${path}: the format is ${JSON.stringify(manifest['format'])}, and this release reads ${FORMAT}. ` +
        'Restore it with the release that made it.',
    );
  if (!isManifest(manifest)) throw new BackUpError(`${path} is damaged. Use another copy of the back-up.`);
  if (manifest.service !== service)
    throw new BackUpError(`${path} is of ${manifest.service}, not of ${service}. Name the folder of ${service}.`);
  if (!isReadableBy(release, manifest.release))
    throw new BackUpError(
      `${path} was made by release ${manifest.release}, and this is ${release}, which reads its own data and that of ` +
        'the previous release. Restore it with the release that made it, then upgrade release by release.',
    );
  return manifest;
};
