import { builtOnce } from './cache/built-once';
import type { Report } from './errors';
import { ferretdbRecipe } from './mongodb/ferretdb-tree';
import { natsRecipe } from './nats/find-nats';

/** Builds the servers that a release archive includes, unless the cache has them. @returns their folders */
export async function buildServers(cache: string, report: Report): Promise<readonly string[]> {
  return Promise.all(
    [ferretdbRecipe(cache, report), natsRecipe(cache, report)].map((recipe) => builtOnce(cache, recipe, report)),
  );
}
