import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppDocument } from '@weft/app-model';

export { type AppEntry, APPS } from './apps.gen';

const FOLDER = join(__dirname, '../../gen');

/**
 * Reads an app of the build from its file. Processes know the names of all apps, and read an app when they first need
 * it: hundreds of apps in memory would cost each process more than its other code.
 * @param name of an entry of `APPS`
 */
export function readApp(name: string): AppDocument {
  const app: AppDocument = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
  return app;
}
