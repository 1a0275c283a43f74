import { chmodSync, copyFileSync, existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as MemoryServer from 'mongodb-memory-server-core';
import type * as DownloadUrl from 'mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl';
import { builtOnce, isBuilt } from '../cache/built-once';
import type { Recipe } from '../cache/built-once';
import { messageOf } from '../errors';
import type { Report } from '../errors';

// its modules are needed at most once per machine, so they are loaded only then
const loadLate = createRequire(__filename);
const VERSION = '8.2.6';
const SOURCE_LIMIT_MS = 5_000;

/**
 * Path of a mongod program downloaded into the cache by mongodb-memory-server; undefined, after 5 s at most, where its
 * source cannot be reached or has nothing for this machine.
 */
export async function downloadMongod(cache: string, report: Report): Promise<string | undefined> {
  const recipe = mongodDownload(report);
  if (!isBuilt(cache, recipe) && !(await isSourceReachable())) {
    report('no MongoDB can be downloaded from here');
    return undefined;
  }
  try {
    return join(await builtOnce(cache, recipe, report), 'mongod');
  } catch (error) {
    report(`MongoDB could not be downloaded: ${messageOf(error)}`);
    return undefined;
  }
}

/** True if the cache has a downloaded mongod. */
export function isMongodDownloaded(cache: string): boolean {
  return isBuilt(
    cache,
    mongodDownload(() => undefined),
  );
}

function mongodDownload(report: Report): Recipe {
  return {
    name: 'mongod',
    inputs: { version: VERSION },
    build: async (folder) => {
      report(`downloading MongoDB ${VERSION}`);
      const { MongoBinary }: typeof MemoryServer = loadLate('mongodb-memory-server-core');
      const downloadDir = join(folder, 'download');
      const found = await MongoBinary.getPath({ version: VERSION, downloadDir, checkMD5: true });
      copyFileSync(found, join(folder, 'mongod'));
      chmodSync(join(folder, 'mongod'), 0o755);
      if (existsSync(downloadDir)) rmSync(downloadDir, { recursive: true });
    },
  };
}

async function isSourceReachable(): Promise<boolean> {
  try {
    const { MongoBinaryDownloadUrl }: typeof DownloadUrl = loadLate(
      'mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl',
    );
    const url = await new MongoBinaryDownloadUrl({
      version: VERSION,
      platform: process.platform,
      arch: process.arch,
    }).getDownloadUrl();
    return (await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(SOURCE_LIMIT_MS) })).ok;
  } catch {
    return false;
  }
}
