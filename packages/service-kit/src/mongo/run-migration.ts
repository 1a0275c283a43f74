import { defineConfig, logLevelField, mongoFields } from '../config';
import { messageOf } from '../errors';
import { createLogger } from '../logging';
import { migrate, type Schema } from './indexes';
import { openDatabase } from './open-database';

/**
 * Migrates the database of a service as a process of its own, and waits for its server for as long as that is away. It
 * ends with 1 and one sentence if it cannot. It reads `MONGODB_URI`, `MONGODB_DATABASE` and `LOG_LEVEL`, and needs no
 * other setting of the service.
 */
export const runMigration = async (service: string, defaultDatabase: string, schema: Schema): Promise<void> => {
  try {
    const config = defineConfig({ ...mongoFields(defaultDatabase), logLevel: logLevelField() }).load();
    const logger = createLogger(service, config.logLevel);
    const begun = Date.now();
    const { database } = await openDatabase({
      uri: config.mongodbUri,
      database: config.mongodbDatabase,
      prepare: (connection) => migrate(connection, schema),
      logger,
    });
    await database.close();
    logger.info({ database: config.mongodbDatabase, ms: Date.now() - begun }, 'the database is migrated');
  } catch (error) {
    process.stderr.write(`${service}: ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
};
