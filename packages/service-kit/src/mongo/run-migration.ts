import { defineConfig, logLevelField, mongoFields } from '../config';
import { messageOf } from '../errors';
import { createLogger } from '../logging';
import { migrate, type Schema } from './indexes';
import { openDatabase } from './open-database';

/**
 * Migrates the database of a service as a separate process, waiting for its server as long as necessary. On failure it
 * prints one sentence and exits with 1. It reads only `MONGODB_URI`, `MONGODB_DATABASE` and `LOG_LEVEL`.
 */
export const runMigration = async (service: string, defaultDatabase: string, schema: Schema): Promise<void> => {
  try {
    const config = defineConfig({ ...mongoFields(defaultDatabase), logLevel: logLevelField() }).load();
    const logger = createLogger(service, config.logLevel);
    const begun = performance.now();
    const { database } = await openDatabase({
      uri: config.mongodbUri,
      database: config.mongodbDatabase,
      prepare: (connection) => migrate(connection, schema),
      logger,
    });
    await database.close();
    logger.info(
      { database: config.mongodbDatabase, ms: Math.round(performance.now() - begun) },
      'the database is migrated',
    );
  } catch (error) {
    process.stderr.write(`${service}: ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
};
