import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { builtOnce, type Recipe } from '../cache/built-once';
import { extractPackages } from '../debian/extract-packages';
import { nameTreeUser } from '../debian/test-servers';
import { StackError, type Report } from '../errors';
import { CHROOT_USER } from '../debian/chroot';
import { canHaveEveryAddress } from '../processes/network-of-its-own';

const PACKAGES = ['squid', 'dash', 'coreutils', 'base-files'];
const WAY_OUT = 'The tests of what nodes reach through a real proxy are skipped; they run as root on a Debian machine.';

/** Environment variables of the tests with a real proxy. */
export interface ProxyVariables {
  /** Root file system with Squid. */
  readonly TEST_SQUID_TREE: string;
}

/**
 * Unpacks Squid if the cache lacks it. Its tests start it, in a separate network.
 * @throws StackError where it cannot be set up, or where no such network can be made
 */
export async function findSquid(cache: string, report: Report): Promise<ProxyVariables> {
  if (!(await canHaveEveryAddress()))
    throw new StackError(`There can be no network for tests of an egress proxy here. ${WAY_OUT}`);
  return { TEST_SQUID_TREE: join(await builtOnce(cache, squidRecipe(report), report), 'tree') };
}

function squidRecipe(report: Report): Recipe {
  return {
    name: 'squid',
    inputs: { packages: PACKAGES.join(','), user: String(CHROOT_USER), layout: '2' },
    build: async (folder) => {
      const tree = join(folder, 'tree');
      mkdirSync(tree);
      const announcement = 'setting up a Squid proxy for the tests (about a minute, once per machine)';
      const need = { purpose: 'A proxy for the tests', wayOut: WAY_OUT, announcement };
      await extractPackages(tree, PACKAGES, need, report);
      nameTreeUser(tree, 'proxy');
      // its shared memory is in the folder of a run
      rmSync(join(tree, 'dev/shm'), { recursive: true, force: true });
      symlinkSync('/data', join(tree, 'dev/shm'));
    },
  };
}
