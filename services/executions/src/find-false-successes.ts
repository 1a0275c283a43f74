import { defineConfig, logLevelField, mongoFields } from '@weft/service-kit/config';
import { messageOf } from '@weft/service-kit/errors';
import { createLogger } from '@weft/service-kit/logging';
import { openDatabase } from '@weft/service-kit/mongo';
import { DATABASE } from './config';
import { findFalseSuccesses } from './store/executions/find-false-successes';
import { openStore } from './store/open-store';

/**
 * Lists executions that are stored as successful although their last node run failed and ended them, one JSON object
 * per line: `npm run find-false-successes`. It reads `MONGODB_URI`, `MONGODB_DATABASE` and `LOG_LEVEL`, and changes
 * nothing.
 */
const list = async (): Promise<void> => {
  const config = defineConfig({ ...mongoFields(DATABASE), logLevel: logLevelField() }).load();
  const logger = createLogger('executions', config.logLevel);
  const { database } = await openDatabase({
    uri: config.mongodbUri,
    database: config.mongodbDatabase,
    prepare: () => Promise.resolve(),
    logger,
  });
  let found = 0;
  for await (const one of findFalseSuccesses(
    database.connection,
    openStore(database.connection, database.now).chunks,
  )) {
    found += 1;
    process.stdout.write(`${JSON.stringify(one)}\n`);
  }
  process.stderr.write(`${found} found.\n`);
  await database.close();
};

list().catch((error: unknown) => {
  process.stderr.write(`executions: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
