import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { builtOnce, type Recipe } from '../cache/built-once';
import { extractPackages } from '../debian/extract-packages';
import { librariesOf, wrapPrograms } from '../debian/unpacked-programs';
import { findGo, goInstall } from '../go/go-install';
import { findProgram } from '../processes/find-program';
import { tryCommand } from '../processes/run-command';
import type { Report } from '../errors';

const SOURCE = 'github.com/nats-io/nats-server/v2@v2.15.2';
/** Path of the program in the Debian package. */
const PACKAGED = '/usr/sbin/nats-server';
/** Oldest release that supports the queue, as [major, minor]. */
const OLDEST: readonly [number, number] = [2, 10];
const NEED = {
  purpose: 'A NATS server',
  wayOut:
    'Other ways to get one: set NATS_URL to a NATS 2.10 or newer with JetStream; put nats-server on the PATH; ' +
    'install Go 1.25 or newer, with which one is built; or start the release archive, which includes one.',
  announcement: 'unpacking the NATS server from its Debian package (about 5 s)',
};

/**
 * Path of a NATS server program: the one on the PATH if it is 2.10 or newer, else one from the cache, which is built
 * with Go where Go is installed and taken from the Debian package otherwise.
 */
export async function findNats(cache: string, report: Report): Promise<string> {
  const onPath = findProgram('nats-server', process.env['PATH']);
  if (onPath !== undefined && (await isNewEnough(onPath))) return onPath;
  const built = await builtOnce(cache, natsRecipe(cache, report), report);
  const unpacked = join(built, 'tree', PACKAGED);
  return existsSync(unpacked) ? unpacked : join(built, 'nats-server');
}

/** A NATS server, built with Go where Go is installed, else from the Debian package. */
export function natsRecipe(cache: string, report: Report): Recipe {
  return {
    name: 'nats-server',
    inputs: { source: SOURCE, layout: '2' },
    build: async (folder) => {
      if ((await findGo()) === undefined) return unpack(folder, report);
      report('building the NATS server with Go (about 30 s)');
      await goInstall(cache, SOURCE, folder, report);
    },
  };
}

async function unpack(folder: string, report: Report): Promise<void> {
  const tree = join(folder, 'tree');
  mkdirSync(tree);
  await extractPackages(tree, ['nats-server'], NEED, report);
  wrapPrograms(tree, [PACKAGED], librariesOf(tree));
}

async function isNewEnough(program: string): Promise<boolean> {
  const { stdout } = await tryCommand(program, ['--version']);
  const [, major, minor] = /v(\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
}
