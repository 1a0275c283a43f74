import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../processes/find-program';
import { runCommand, tryCommand } from '../processes/run-command';
import { StackError } from '../errors';
import type { Report } from '../errors';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const TEN_MINUTES = 600_000;
/** Packages unpacked at the same time: as many as an ordinary machine has cores. */
const AT_ONCE = 4;

// not needed here, and a fifth of the bytes
const LEFT_OUT = ['man', 'locale', 'info', 'lintian'];

/** Purpose of packages. */
export interface Need {
  /** As it begins a sentence: "A MongoDB". */
  readonly purpose: string;
  /** The remedy on a machine where this cannot work, as one sentence. */
  readonly wayOut: string;
  /** Reported when the work begins. */
  readonly announcement: string;
}

/** A package that was unpacked. */
export interface UnpackedPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  /** Name and version of the source package. */
  readonly source: string;
  readonly sourceVersion: string;
  /** SHA-256 of the package file, in hexadecimal. */
  readonly sha256: string;
  /** Paths of its files from the root of the tree, without a leading slash; folders end with a slash. */
  readonly files: readonly string[];
}

/**
 * Unpacks Debian packages of the `unstable` release and all they depend on into a folder. Any user can do it: nothing
 * is installed on this machine, and no script of a package runs. apt checks signatures; the mirror is the one that this
 * machine uses for itself.
 * @throws StackError where that cannot work
 */
export async function extractPackages(
  folder: string,
  packages: readonly string[],
  need: Need,
  report: Report,
): Promise<readonly UnpackedPackage[]> {
  refuseOtherMachines(need);
  report(need.announcement);
  const scratch = `${folder}.apt`;
  try {
    const mirror = (await findMirror([])) ?? (await findMirrorAfterUpdate(join(scratch, 'of-machine')));
    if (mirror === undefined)
      throw new StackError(`${need.purpose} cannot be set up: apt has no Debian source configured. ${need.wayOut}`);
    const archives = await download(scratch, mirror, packages);
    const unpacked: UnpackedPackage[] = [];
    const waiting = [...archives];
    const unpackNext = async (): Promise<void> => {
      for (let file = waiting.pop(); file !== undefined; file = waiting.pop())
        unpacked.push(await unpackPackage(file, folder));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, unpackNext));
    return unpacked.sort((one, other) => (one.name < other.name ? -1 : 1));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function refuseOtherMachines({ purpose, wayOut }: Need): void {
  const programs = ['apt-get', 'dpkg-deb', 'tar'].every((name) => findProgram(name, process.env['PATH']) !== undefined);
  if (!programs || !existsSync(KEYRING))
    throw new StackError(
      `${purpose} cannot be set up here from Debian packages: this is not a Debian machine. ${wayOut}`,
    );
}

/** Downloads the packages with a separate state of apt, in which nothing is installed. @returns their files */
async function download(scratch: string, mirror: string, packages: readonly string[]): Promise<string[]> {
  const [lists, archives] = [join(scratch, 'lists'), join(scratch, 'archives')];
  for (const folder of [lists, archives]) mkdirSync(join(folder, 'partial'), { recursive: true });
  const [sources, status] = [join(scratch, 'sources.list'), join(scratch, 'status')];
  writeFileSync(sources, `deb [signed-by=${KEYRING}] ${mirror} unstable main\n`);
  writeFileSync(status, '');
  const settings = {
    'Dir::State': scratch,
    'Dir::State::Lists': lists,
    'Dir::State::status': status,
    'Dir::Cache': scratch,
    'Dir::Cache::Archives': archives,
    'Dir::Etc::SourceList': sources,
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::Etc::Preferences': '/dev/null',
    'Dir::Etc::PreferencesParts': '/dev/null',
    'APT::Install-Recommends': 'false',
    // the folders above may be closed to apt's own user
    'APT::Sandbox::User': 'root',
    // a mirror may be a snapshot, whose date of expiry has passed
    'Acquire::Check-Valid-Until': 'false',
    'Acquire::Languages': 'none',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const apt = (...args: string[]): Promise<string> =>
    runCommand('apt-get', ['-qq', ...options, ...args], {
      limitMs: TEN_MINUTES,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  await apt('update');
  await apt('install', '--yes', '--download-only', ...packages);
  return readdirSync(archives)
    .filter((name) => name.endsWith('.deb'))
    .map((name) => join(archives, name));
}

const FIELDS = ['Package', 'Version', 'Architecture', 'source:Package', 'source:Version'] as const;

async function unpackPackage(file: string, folder: string): Promise<UnpackedPackage> {
  const format = FIELDS.map((field) => `\${${field}}`).join('\\t');
  const described = await runCommand('dpkg-deb', ['--show', `--showformat=${format}`, file]);
  const [name = '', version = '', architecture = '', source = '', sourceVersion = ''] = described.split('\t');
  const excluded = LEFT_OUT.map((part) => `--exclude=./usr/share/${part}`);
  const options = ['--verbose', '--no-same-owner', '--preserve-permissions', '--keep-directory-symlink', ...excluded];
  const listing = await runCommand('sh', [
    '-c',
    'archive=$1; shift; dpkg-deb --fsys-tarfile "$archive" | tar --extract --directory "$@"',
    'sh',
    ...[file, folder, ...options],
  ]);
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  rmSync(file);
  const files = listing.split('\n').flatMap((line) => (line.startsWith('./') && line !== './' ? [line.slice(2)] : []));
  return { name, version, architecture, source, sourceVersion, sha256, files };
}

async function findMirror(options: readonly string[]): Promise<string | undefined> {
  const format = ['--format', '$(LABEL)|$(REPO_URI)', 'Created-By: Packages'];
  const { stdout } = await tryCommand('apt-get', [...options, 'indextargets', ...format]);
  return stdout
    .split('\n')
    .find((line) => line.startsWith('Debian|'))
    ?.slice('Debian|'.length);
}

/** For machines, such as images, whose lists of packages were removed: apt names its sources only with lists. */
async function findMirrorAfterUpdate(lists: string): Promise<string | undefined> {
  mkdirSync(join(lists, 'partial'), { recursive: true });
  const options = ['-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${lists}`, '-o', 'APT::Sandbox::User=root'];
  await tryCommand('apt-get', [...options, '-o', 'Debug::NoLocking=true', '-qq', 'update'], { limitMs: TEN_MINUTES });
  return findMirror(options);
}
