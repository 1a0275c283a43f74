import { existsSync } from 'node:fs';
import { messageOf, type Report } from '../errors';
import type { Environment } from '../places';
import { findProgram } from '../processes/find-program';
import { runCommand } from '../processes/run-command';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const TEN_MINUTES = 600_000;

const find = (environment: Environment): string | undefined =>
  [environment['CHROMIUM'] ?? '', ...PLACES].find((place) => place !== '' && existsSync(place));

/**
 * The browser of the tests: `CHROMIUM`, one that the machine has, or the Debian package, which is installed where that
 * is possible.
 * @returns undefined where there is none and none can be installed; the reason is reported, and tests that need one
 * fail.
 */
export async function findChromium(environment: Environment, report: Report): Promise<string | undefined> {
  const found = find(environment);
  if (found !== undefined) return found;
  if (findProgram('apt-get', environment['PATH']) === undefined || process.getuid?.() !== 0) {
    report(
      'There is no Chromium for the tests of pages, and it can be installed only by root of a Debian ' +
        'machine. Install it, or set CHROMIUM to its path.',
    );
    return undefined;
  }
  report('installing Chromium for the tests of pages (once per machine)');
  const options = { limitMs: TEN_MINUTES, env: { ...environment, DEBIAN_FRONTEND: 'noninteractive' } };
  try {
    await runCommand('apt-get', ['update', '-qq'], options);
    await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
  } catch (error) {
    report(`Chromium could not be installed: ${messageOf(error)}`);
  }
  return find(environment);
}
