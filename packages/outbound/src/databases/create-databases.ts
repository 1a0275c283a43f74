import type { OpenSocket } from '../mail/mail-sender';
import type { Databases } from './databases';
import { openMongo } from './mongo-session';
import { openMysql } from './mysql-session';
import { openPostgres } from './postgres-session';
import { openRedis } from './redis-session';

/** Makes the clients of a process. None of them opens a socket of its own. */
export function createDatabases(openSocket: OpenSocket): Databases {
  return {
    postgres: (...session) => openPostgres(openSocket, ...session),
    mysql: (...session) => openMysql(openSocket, ...session),
    redis: (...session) => openRedis(openSocket, ...session),
    mongo: (...session) => openMongo(openSocket, ...session),
  };
}
