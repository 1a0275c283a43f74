import { existsSync } from 'node:fs';
import { findProgram } from '../processes/find-program';
import { runCommand, tryCommand } from '../processes/run-command';
import { StackError } from '../errors';
import type { Report } from '../errors';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const TEN_MINUTES = 600_000;

// not needed here, and a fifth of the bytes
const LEFT_OUT = ['man', 'doc', 'locale', 'info', 'lintian'];

/** Purpose of packages. */
export interface Need {
  /** As it begins a sentence: "A MongoDB". */
  readonly purpose: string;
  /** The remedy on a machine where this cannot work, as one sentence. */
  readonly wayOut: string;
  /** Reported when the work begins. */
  readonly announcement: string;
}

/**
 * Unpacks Debian packages of the `unstable` release and all they depend on into a folder, without installing anything
 * on this machine and without running any of their scripts. The mirror is the one this machine uses for itself.
 * Only mmdebstrap is installed on the machine, if it is missing.
 * Throws a sentence where that cannot work.
 */
export async function extractPackages(
  folder: string,
  packages: readonly string[],
  need: Need,
  report: Report,
): Promise<void> {
  refuseOtherMachines(need);
  report(need.announcement);
  // apt bears only one at a time, and several things are set up at once
  mirrorOnce ??= prepareApt(report);
  const mirror = await mirrorOnce;
  if (mirror === undefined)
    throw new StackError(`${need.purpose} cannot be set up: apt has no Debian source configured. ${need.wayOut}`);
  const args = [
    '--quiet',
    '--mode=root',
    '--variant=extract',
    `--include=${packages.join(',')}`,
    '--aptopt=APT::Install-Recommends "false"',
    // a mirror may be a snapshot, whose date of expiry has passed
    '--aptopt=Acquire::Check-Valid-Until "false"',
    ...LEFT_OUT.map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
    '--keyring=/usr/share/keyrings',
    'unstable',
    folder,
    `deb [signed-by=${KEYRING}] ${mirror} unstable main`,
  ];
  await runCommand('mmdebstrap', args, {
    limitMs: TEN_MINUTES,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

function refuseOtherMachines({ purpose, wayOut }: Need): void {
  const isDebian =
    findProgram('apt-get', process.env['PATH']) !== undefined &&
    existsSync(KEYRING) &&
    existsSync('/usr/share/keyrings');
  if (!isDebian)
    throw new StackError(
      `${purpose} cannot be set up here from Debian packages: this is not a Debian machine. ${wayOut}`,
    );
  if (process.getuid?.() !== 0)
    throw new StackError(`${purpose} can be set up from Debian packages only by root. ${wayOut}`);
}

let mirrorOnce: Promise<string | undefined> | undefined;

/** Ensures that mmdebstrap is installed and returns the address of the Debian mirror; undefined if apt knows none. */
async function prepareApt(report: Report): Promise<string | undefined> {
  const isMissing = findProgram('mmdebstrap', process.env['PATH']) === undefined;
  const known = await findMirror();
  if (known === undefined || isMissing) await aptGet('update', '-qq');
  if (isMissing) {
    report('installing mmdebstrap');
    await aptGet('install', '-y', '-qq', '--no-install-recommends', 'mmdebstrap');
  }
  return known ?? findMirror();
}

async function findMirror(): Promise<string | undefined> {
  const { stdout } = await tryCommand('apt-get', [
    'indextargets',
    '--format',
    '$(LABEL)|$(REPO_URI)',
    'Created-By: Packages',
  ]);
  return stdout
    .split('\n')
    .find((line) => line.startsWith('Debian|'))
    ?.slice('Debian|'.length);
}

async function aptGet(...args: string[]): Promise<void> {
  await runCommand('apt-get', args, {
    limitMs: TEN_MINUTES,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
