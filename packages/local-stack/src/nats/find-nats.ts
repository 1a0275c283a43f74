import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtOnce } from '../cache/built-once';
import { extractPackages } from '../debian/extract-packages';
import { findGo, goInstall } from '../go/go-install';
import { findProgram } from '../processes/find-program';
import { tryCommand } from '../processes/run-command';
import type { Report } from '../errors';

const SOURCE = 'github.com/nats-io/nats-server/v2@v2.15.2';
/** Oldest release that supports the queue, as [major, minor]. */
const OLDEST: readonly [number, number] = [2, 10];
const NEED = {
  purpose: 'A NATS server',
  wayOut: 'Put nats-server 2.10 or newer on the PATH, set NATS_URL, or install Go 1.25 or newer, and start again.',
  announcement: 'unpacking the NATS server from its Debian package (about 5 s)',
};

/**
 * Path of a NATS server program: the one on the PATH if it is 2.10 or newer, else one from the cache, which is built
 * with Go where Go is installed and taken from the Debian package otherwise.
 */
export async function findNats(cache: string, report: Report): Promise<string> {
  const onPath = findProgram('nats-server', process.env['PATH']);
  if (onPath !== undefined && (await isNewEnough(onPath))) return onPath;
  const recipe = {
    name: 'nats-server',
    inputs: { source: SOURCE },
    build: async (folder: string): Promise<void> => {
      if ((await findGo()) === undefined) return unpack(folder, report);
      report('building the NATS server with Go (about 30 s)');
      await goInstall(cache, SOURCE, folder, report);
    },
  };
  return join(await builtOnce(cache, recipe, report), 'nats-server');
}

async function unpack(folder: string, report: Report): Promise<void> {
  const tree = join(folder, 'tree');
  mkdirSync(tree);
  await extractPackages(tree, ['nats-server'], NEED, report);
  copyFileSync(join(tree, 'usr/sbin/nats-server'), join(folder, 'nats-server'));
  rmSync(tree, { recursive: true });
}

async function isNewEnough(program: string): Promise<boolean> {
  const { stdout } = await tryCommand(program, ['--version']);
  const [, major, minor] = /v(\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
}
