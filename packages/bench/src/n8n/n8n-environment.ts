import type { PostgresServer } from '@weft/local-stack';
import { delimiter, dirname } from 'node:path';

/** Addresses and folder of an n8n, and its database. */
export interface N8nPlaces {
  readonly port: number;
  /** Where its task runner reaches it. */
  readonly brokerPort: number;
  readonly folder: string;
  readonly postgres: Pick<PostgresServer, 'port' | 'login'>;
}

/** Turns off requests for versions, templates, banners and licences, and all reporting. */
const OFFLINE = {
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_DYNAMIC_BANNERS_ENABLED: 'false',
  N8N_HIRING_BANNER_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_COMMUNITY_PACKAGES_ENABLED: 'false',
  N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
  EXTERNAL_FRONTEND_HOOKS_URLS: '',
};

/** Its fastest mode that stores as much as Weft: every execution with its data. */
const FASTEST = {
  NODE_ENV: 'production',
  EXECUTIONS_MODE: 'regular',
  EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
  EXECUTIONS_DATA_SAVE_ON_ERROR: 'all',
  EXECUTIONS_DATA_SAVE_ON_PROGRESS: 'false',
  EXECUTIONS_DATA_PRUNE: 'false',
  N8N_EXPRESSION_ENGINE: 'legacy',
  N8N_RUNNERS_MODE: 'internal',
  // with the default of 2, 50 connections wait for the database: 15 to 20 % fewer runs a second
  DB_POSTGRESDB_POOL_SIZE: '10',
};

/** All variables of an n8n of the bench, without those of the user who runs the bench. */
export const n8nEnvironment = ({
  port,
  brokerPort,
  folder,
  postgres,
}: N8nPlaces): Readonly<Record<string, string>> => ({
  ...OFFLINE,
  ...FASTEST,
  // its task runner is started as `node`
  PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
  HOME: folder,
  TZ: 'UTC',
  GENERIC_TIMEZONE: 'UTC',
  N8N_USER_FOLDER: folder,
  N8N_HOST: '127.0.0.1',
  N8N_LISTEN_ADDRESS: '127.0.0.1',
  N8N_PORT: String(port),
  N8N_RUNNERS_BROKER_PORT: String(brokerPort),
  N8N_SECURE_COOKIE: 'false',
  DB_TYPE: 'postgresdb',
  DB_POSTGRESDB_HOST: '127.0.0.1',
  DB_POSTGRESDB_PORT: String(postgres.port),
  DB_POSTGRESDB_DATABASE: 'postgres',
  DB_POSTGRESDB_USER: postgres.login.user,
  DB_POSTGRESDB_PASSWORD: postgres.login.password,
});
