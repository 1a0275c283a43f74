import { chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recipe } from '../cache/built-once';
import { extractPackages } from '../debian/extract-packages';
import { nameTreeUser } from '../debian/test-servers';
import type { Report } from '../errors';
import { CHROOT_USER, prepareTree } from '../mongodb/chroot';
import type { InTree } from '../mongodb/chroot';
import { runCommand } from '../processes/run-command';

/** User and password of every database of the tests. */
export const DATABASE_LOGIN = { user: 'weft', password: 'test-password-1' } as const;

const PACKAGES = ['postgresql-18', 'mariadb-server-core', 'redis-server', 'dash', 'coreutils', 'base-files'];
const WAY_OUT = 'The tests of database nodes are skipped; they run as root on a Debian machine.';

/** Folder of a built set that is the root file system of its programs. */
export const databaseTreeOf = (built: string): string => join(built, 'tree');

/** Folder of a built set with empty databases, to be copied for every run. */
export const emptyDatabasesOf = (built: string): string => join(built, 'empty/data');

/** A root file system with PostgreSQL, MariaDB and Redis, and an empty database of each of the first two. */
export function databasesRecipe(report: Report): Recipe {
  return {
    name: 'databases',
    inputs: { packages: PACKAGES.join(','), user: String(CHROOT_USER), layout: '1' },
    build: async (folder) => {
      const tree = databaseTreeOf(folder);
      mkdirSync(tree);
      const announcement = 'setting up PostgreSQL, MariaDB and Redis for the tests (about a minute, once per machine)';
      await extractPackages(
        tree,
        PACKAGES,
        { purpose: 'Databases for the tests', wayOut: WAY_OUT, announcement },
        report,
      );
      nameTreeUser(tree, 'database');
      await runCommand('chroot', [tree, '/sbin/ldconfig']);
      const home = join(folder, 'empty');
      const inTree = await prepareTree(tree, home);
      await Promise.all([makePostgres(inTree, join(home, 'data')), makeMariadb(inTree, tree, join(home, 'data'))]);
    },
  };
}

async function makePostgres(inTree: InTree, data: string): Promise<void> {
  const passwordFile = join(data, 'password');
  writeFileSync(passwordFile, DATABASE_LOGIN.password);
  chownSync(passwordFile, CHROOT_USER, CHROOT_USER);
  const line = inTree(
    '/usr/lib/postgresql/18/bin/initdb',
    ...['-D', '/data/postgres', '-U', DATABASE_LOGIN.user, '--pwfile=/data/password'],
    ...['-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8'],
  );
  await runCommand(line.command, line.args);
  rmSync(passwordFile);
}

/** Replaces the installing script of MariaDB, which needs more packages. */
async function makeMariadb(inTree: InTree, tree: string, data: string): Promise<void> {
  const folder = join(data, 'mariadb');
  mkdirSync(folder);
  chownSync(folder, CHROOT_USER, CHROOT_USER);
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
  const line = inTree(
    '/usr/sbin/mariadbd',
    ...['--no-defaults', '--bootstrap', '--datadir=/data/mariadb', '--basedir=/usr', '--tmpdir=/data'],
  );
  await runCommand(line.command, line.args, { input });
}
