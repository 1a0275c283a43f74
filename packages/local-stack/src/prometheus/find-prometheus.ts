import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtOnce } from '../cache/built-once';
import { extractPackages } from '../debian/extract-packages';
import { messageOf, type Report } from '../errors';
import type { Environment } from '../places';
import { findProgram } from '../processes/find-program';

const PROGRAMS = ['prometheus', 'promtool'] as const;
const NEED = {
  purpose: 'A Prometheus',
  wayOut: 'Put prometheus and promtool on the PATH, or set PROMETHEUS to their folder.',
  announcement: 'unpacking Prometheus from its Debian package for the tests of alerts (once per machine)',
};

/**
 * Folder with the programs `prometheus` and `promtool` for the tests of alerts and dashboards: `PROMETHEUS`, that of
 * the PATH, or one in the cache, unpacked from the Debian package.
 * @returns undefined where there is none and none can be set up; the reason is reported, and the tests are skipped
 */
export async function findPrometheus(
  cache: string,
  environment: Environment,
  report: Report,
): Promise<string | undefined> {
  const given = environment['PROMETHEUS'];
  if (given) return given;
  const onPath = PROGRAMS.map((name) => findProgram(name, environment['PATH']));
  const [server, tool] = onPath;
  if (server !== undefined && tool !== undefined && dirname(server) === dirname(tool)) return dirname(server);
  const recipe = {
    name: 'prometheus',
    inputs: { package: 'prometheus', release: 'unstable' },
    build: async (folder: string): Promise<void> => {
      const tree = join(folder, 'tree');
      mkdirSync(tree);
      await extractPackages(tree, ['prometheus'], NEED, report);
      for (const name of PROGRAMS) copyFileSync(join(tree, 'usr/bin', name), join(folder, name));
      rmSync(tree, { recursive: true });
    },
  };
  try {
    return await builtOnce(cache, recipe, report);
  } catch (error) {
    report(`The tests of alerts and dashboards are skipped: ${messageOf(error)}`);
    return undefined;
  }
}
