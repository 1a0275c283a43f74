import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recipe } from '../cache/built-once';
import { extractPackages } from '../debian/extract-packages';
import { librariesOf, programsOf, wrapPrograms } from '../debian/unpacked-programs';
import type { Report } from '../errors';
import { POSTGRES_PROGRAMS } from '../mongodb/postgres';
import { giveToServerUser } from '../processes/server-user';
import { runCommand } from '../processes/run-command';

/** User and password of every database of the tests. */
export const DATABASE_LOGIN = { user: 'weft', password: 'test-password-1' } as const;

const PACKAGES = ['postgresql-18', 'postgresql-18-pgvector', 'mariadb-server-core', 'redis-server'];
const MARIADB = '/usr/sbin/mariadbd';
const PROGRAMS = [`${POSTGRES_PROGRAMS}/postgres`, `${POSTGRES_PROGRAMS}/initdb`, MARIADB, '/usr/bin/redis-server'];
const WAY_OUT = 'The tests of database nodes are skipped; they run on a Debian machine.';

/** Folder of a built set with its programs. */
export const databaseTreeOf = (built: string): string => join(built, 'tree');

/** Folder of a built set with empty databases, to be copied for every run. */
export const emptyDatabasesOf = (built: string): string => join(built, 'empty');

/** PostgreSQL, MariaDB and Redis, and an empty database of each of the first two. */
export function databasesRecipe(report: Report): Recipe {
  return {
    name: 'databases',
    inputs: { packages: PACKAGES.join(','), layout: '2' },
    build: async (folder) => {
      const tree = databaseTreeOf(folder);
      mkdirSync(tree);
      const announcement = 'setting up PostgreSQL, MariaDB and Redis for the tests (about a minute, once per machine)';
      const need = { purpose: 'Databases for the tests', wayOut: WAY_OUT, announcement };
      await extractPackages(tree, PACKAGES, need, report);
      wrapPrograms(tree, PROGRAMS, librariesOf(tree));
      const empty = emptyDatabasesOf(folder);
      mkdirSync(empty);
      await Promise.all([makePostgres(tree, empty), makeMariadb(tree, empty)]);
    },
  };
}

/** Options that name the folders of MariaDB. */
export const mariadbFolders = (tree: string, data: string): readonly string[] => [
  ...['--no-defaults', `--basedir=${tree}/usr`, `--datadir=${data}`, `--tmpdir=${data}`],
  ...[`--lc-messages-dir=${tree}/usr/share/mariadb`, `--character-sets-dir=${tree}/usr/share/mariadb/charsets`],
];

async function makePostgres(tree: string, empty: string): Promise<void> {
  const [data, passwordFile] = [join(empty, 'postgres'), join(empty, 'password')];
  mkdirSync(data);
  await giveToServerUser(data);
  writeFileSync(passwordFile, DATABASE_LOGIN.password);
  const { command, args } = programsOf(tree)(
    `${POSTGRES_PROGRAMS}/initdb`,
    ...['-D', data, '-U', DATABASE_LOGIN.user, `--pwfile=${passwordFile}`],
    ...['-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8'],
  );
  await runCommand(command, args);
  rmSync(passwordFile);
}

/** Replaces the installing script of MariaDB, which needs more packages. */
async function makeMariadb(tree: string, empty: string): Promise<void> {
  const data = join(empty, 'mariadb');
  mkdirSync(data);
  await giveToServerUser(data);
  const tables = ['mariadb_system_tables', 'mariadb_performance_tables', 'mariadb_system_tables_data'];
  const { user, password } = DATABASE_LOGIN;
  const input = [
    ...['create database mysql;', 'use mysql;', 'SET @auth_root_socket=NULL;'],
    ...tables.map((name) => readFileSync(join(tree, `usr/share/mariadb/${name}.sql`), 'utf8')),
    'FLUSH PRIVILEGES;',
    `CREATE USER '${user}'@'%' IDENTIFIED BY '${password}';`,
    `GRANT ALL PRIVILEGES ON *.* TO '${user}'@'%';`,
    `CREATE DATABASE ${user};`,
    '',
  ].join('\n');
  const { command, args } = programsOf(tree)(MARIADB, ...mariadbFolders(tree, data), '--bootstrap');
  await runCommand(command, args, { input });
}
