import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { findPlaces } from '../places';
import { openDataFolder } from '../stack/data-folder';
import { startServers } from '../stack/start-servers';
import { runAsCommand } from './run-as-command';

/** `servers.mjs FILE`: runs one NATS and one MongoDB until Ctrl-C and writes their addresses to FILE as NAME=value. */
runAsCommand(async ({ report, stopped }) => {
  const file = process.argv[2];
  const { cache, data } = findPlaces(process.env);
  const folder = await openDataFolder(data, report);
  try {
    const servers = await startServers({ cache, folder, environment: process.env, report });
    try {
      const lines = `MONGODB_URI=${servers.mongodbUri}\nNATS_URL=${servers.natsUrl}\n`;
      if (file !== undefined) writeFileSync(resolve(file), lines);
      report(`ready\n${lines.trimEnd()}`);
      await Promise.race([
        stopped,
        ...servers.processes.map((server) => server.ended.then(() => server.throwIfEnded())),
      ]);
    } finally {
      await servers.stop();
    }
  } finally {
    folder.release();
  }
  return 0;
});
