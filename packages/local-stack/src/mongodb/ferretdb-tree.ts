import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtOnce, type Recipe } from '../cache/built-once';
import { extractPackages } from '../debian/extract-packages';
import { pickFiles } from '../debian/pick-files';
import { librariesOf, programsOf, wrapPrograms } from '../debian/unpacked-programs';
import { goInstall } from '../go/go-install';
import { Ledger } from '../processes/ledger';
import type { Report } from '../errors';
import { POSTGRES_PROGRAMS, initPostgres, startPostgres } from './postgres';

const SOURCE = 'github.com/FerretDB/FerretDB/v2/cmd/ferretdb@v2.7.0';
/** `base-files` has the common licences. */
const PACKAGES = ['postgresql-18-documentdb', 'base-files'];

const PROGRAMS = ['initdb', 'postgres', 'psql'].map((name) => `${POSTGRES_PROGRAMS}/${name}`);
const MODULE_FOLDER = '/usr/lib/postgresql/18/lib';
const MODULES = [
  ...['plpgsql', 'dict_snowball', 'tsm_system_rows', 'pg_cron', 'vector', 'postgis-3'],
  ...['pg_documentdb_core', 'pg_documentdb', 'pg_documentdb_extended_rum'],
].map((name) => `${MODULE_FOLDER}/${name}.so`);
const SHARE = '/usr/share/postgresql/18';
/** SQL and control files of the extensions that DocumentDB consists of and needs. */
const EXTENSION_FILES =
  /^(plpgsql|tsm_system_rows|pg_cron|vector|postgis|documentdb(_core|_extended_rum)?)(--\d.*)?\.(sql|control)$/;
/** Scripts that update PostGIS, which only a newer tree would need. */
const DETOUR = /--(ANY|TEMPLATED|unpackaged)/;

/** Advice for a machine where no MongoDB can be set up. */
export const MONGODB_WAY_OUT =
  'Other ways to get one: set MONGODB_URI to a MongoDB 7 or newer; put mongod on the PATH; start the release ' +
  'archive, which includes a server; or run this on a Debian machine that reaches its package mirror and the Go ' +
  'module proxy.';

/** Folder of a built server with its programs. */
export function treeOf(built: string): string {
  return join(built, 'tree');
}

/** Path of FerretDB in a built server. */
export function ferretdbProgramOf(built: string): string {
  return join(built, 'ferretdb/ferretdb');
}

/**
 * PostgreSQL 18, its DocumentDB extension and FerretDB, which speaks MongoDB's wire protocol in front of it: the files
 * that they need, from package registries, nothing installed on the machine. `packages.json` names the Debian packages
 * and their sources, `ferretdb/licences` has the licences of FerretDB and of what it includes.
 */
export function ferretdbRecipe(cache: string, report: Report): Recipe {
  return {
    name: 'mongodb',
    inputs: { source: SOURCE, packages: PACKAGES.join(','), layout: '3' },
    build: async (folder) => {
      await Promise.all([
        fillTree(folder, report),
        goInstall(cache, SOURCE, join(folder, 'ferretdb'), report).then(() => report('  FerretDB is built')),
      ]);
    },
  };
}

async function fillTree(folder: string, report: Report): Promise<void> {
  const announcement = 'setting up a MongoDB: FerretDB on PostgreSQL (one to two minutes, once per machine)';
  const [unpacked, tree] = [join(folder, 'unpacked'), treeOf(folder)];
  mkdirSync(unpacked);
  const packages = await extractPackages(
    unpacked,
    PACKAGES,
    { purpose: 'A MongoDB', wayOut: MONGODB_WAY_OUT, announcement },
    report,
  );
  const extensions = join(unpacked, SHARE, 'extension');
  // a script of the package, which does not run, makes it
  symlinkSync('postgis-3.control', join(extensions, 'postgis.control'));
  const libraries = librariesOf(unpacked, [MODULE_FOLDER]);
  const wanted = {
    binaries: [...PROGRAMS, ...MODULES],
    data: [
      ...readdirSync(join(unpacked, SHARE))
        .filter((name) => !['contrib', 'extension', 'man'].includes(name))
        .map((name) => `${SHARE}/${name}`),
      ...readdirSync(extensions)
        .filter((name) => EXTENSION_FILES.test(name) && !DETOUR.test(name))
        .map((name) => `${SHARE}/extension/${name}`),
      '/usr/lib/locale/C.utf8',
      '/usr/share/common-licenses',
    ],
  };
  const owners = await pickFiles(unpacked, packages, libraries, wanted, tree);
  wrapPrograms(tree, PROGRAMS, libraries);
  const list = owners.map(({ name, version, architecture, source, sourceVersion, sha256 }) => ({
    ...{ name, version, architecture, source, sourceVersion, sha256 },
  }));
  writeFileSync(join(folder, 'packages.json'), `${JSON.stringify(list, undefined, 2)}\n`);
  rmSync(unpacked, { recursive: true });
  report('  PostgreSQL is unpacked');
}

/** An empty database in the cache, to be copied for every new stack: making one takes ten times as long. */
export async function emptyDatabase(cache: string, built: string, report: Report): Promise<string> {
  const { inputs } = ferretdbRecipe(cache, report);
  const folder = await builtOnce(
    cache,
    { name: 'empty-database', inputs, build: (into) => makeEmpty(built, into) },
    report,
  );
  return join(folder, 'database');
}

async function makeEmpty(built: string, folder: string): Promise<void> {
  const [inTree, scratch] = [programsOf(treeOf(built)), join(folder, 'scratch')];
  const database = join(scratch, 'database');
  mkdirSync(scratch);
  await initPostgres(inTree, database);
  await (await startPostgres(inTree, { database, data: scratch, ledger: new Ledger(join(scratch, 'run')) })).stop();
  renameSync(database, join(folder, 'database'));
  rmSync(scratch, { recursive: true });
}
