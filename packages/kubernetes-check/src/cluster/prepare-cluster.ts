import { join } from 'node:path';
import { builtOnce, findPlaces, type Report } from '@weft/local-stack';
import { controlPlaneRecipe } from './control-plane';
import { customResourcesRecipe, DEFINITIONS } from './custom-resources';
import { startCluster, type Cluster } from './start-cluster';

/** A running cluster, and the definitions to apply before manifests with custom resources. */
export interface PreparedCluster extends Cluster {
  /** Folder with the definitions of custom resources. */
  readonly definitions: string;
}

/**
 * Starts a control plane of Kubernetes, built first where the cache has none.
 * @param folder empty folder for its data
 * @param schedules true: the scheduler places pods
 */
export async function prepareCluster(folder: string, report: Report, schedules = false): Promise<PreparedCluster> {
  const { cache, checkout } = findPlaces(process.env);
  const source = join(checkout, 'packages/kubernetes-check/go');
  const programs = await builtOnce(cache, controlPlaneRecipe(cache, join(source, 'control-plane'), report), report);
  const types = customResourcesRecipe(cache, join(source, 'custom-resources'), report);
  const definitions = join(await builtOnce(cache, types, report), DEFINITIONS);
  return { ...(await startCluster({ programs, folder, schedules })), definitions };
}
