import type { OpenSocket } from '../mail/mail-sender';
import type { Databases } from './databases';
import { openMongo } from './mongo-session';
import { openMysql } from './mysql-session';
import { openPostgres } from './postgres-session';
import { openRedis } from './redis-session';

/** Creates the database clients of a process. They open sockets only through the guard. */
export function createDatabases(openSocket: OpenSocket): Databases {
  return {
    postgres: (...session) => openPostgres(openSocket, ...session),
    mysql: (...session) => openMysql(openSocket, ...session),
    redis: (...session) => openRedis(openSocket, ...session),
    mongo: (...session) => openMongo(openSocket, ...session),
  };
}
