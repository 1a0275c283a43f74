import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startTestServers, type TestServer } from '../debian/test-servers';
import { programsOf } from '../debian/unpacked-programs';
import type { Report } from '../errors';
import { freePorts } from '../processes/free-port';
import { giveToServerUser } from '../processes/server-user';
import type { DataFolder } from '../stack/data-folder';
import { DATABASE_LOGIN, mariadbFolders } from './database-tree';
import { layDatabases, postgresServer } from './start-postgres';

/** Addresses of databases for tests, as environment variables. */
export interface DatabaseVariables {
  readonly TEST_POSTGRES_URL: string;
  readonly TEST_MYSQL_URL: string;
  readonly TEST_REDIS_URL: string;
}

/** Databases that answer. */
export interface Databases {
  readonly variables: DatabaseVariables;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL, MariaDB and Redis on free ports of 127.0.0.1, with empty databases below `databases` of the data
 * folder; unpacks them first if the cache lacks them. @throws StackError where they cannot be set up
 */
export async function startDatabases(cache: string, folder: DataFolder, report: Report): Promise<Databases> {
  const { data, tree } = await layDatabases(cache, folder, ['postgres', 'mariadb'], report);
  mkdirSync(join(data, 'redis'));
  await giveToServerUser(join(data, 'redis'));
  const [postgres = 0, mysql = 0, redis = 0] = await freePorts(3);
  const stop = await startTestServers(plansFor(tree, data, postgres, mysql, redis), programsOf(tree), folder);
  const login = `${DATABASE_LOGIN.user}:${DATABASE_LOGIN.password}`;
  return {
    variables: {
      TEST_POSTGRES_URL: `postgres://${login}@127.0.0.1:${postgres}/postgres`,
      TEST_MYSQL_URL: `mysql://${login}@127.0.0.1:${mysql}/${DATABASE_LOGIN.user}`,
      TEST_REDIS_URL: `redis://:${DATABASE_LOGIN.password}@127.0.0.1:${redis}`,
    },
    stop,
  };
}

function plansFor(tree: string, data: string, postgres: number, mysql: number, redis: number): TestServer[] {
  return [
    postgresServer('test-postgres', postgres, data, {
      fsync: 'off',
      dynamic_shared_memory_type: 'sysv',
      shared_buffers: '32MB',
    }),
    {
      name: 'test-mariadb',
      port: mysql,
      program: [
        '/usr/sbin/mariadbd',
        ...mariadbFolders(tree, join(data, 'mariadb')),
        ...['--bind-address=127.0.0.1', `--port=${mysql}`, '--socket=mariadb.sock', '--pid-file=mariadb.pid'],
        ...['--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=32M', '--skip-name-resolve'],
      ],
      hello: Buffer.alloc(0),
      stopSignal: 'SIGKILL',
    },
    {
      name: 'test-redis',
      port: redis,
      program: [
        '/usr/bin/redis-server',
        ...['--bind', '127.0.0.1', '--port', String(redis), '--requirepass', DATABASE_LOGIN.password],
        ...['--save', '', '--appendonly', 'no', '--dir', join(data, 'redis')],
      ],
      hello: Buffer.from('PING\r\n'),
      stopSignal: 'SIGKILL',
    },
  ];
}
