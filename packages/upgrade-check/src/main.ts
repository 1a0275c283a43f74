import { findPlaces, runAsCommand } from '@weft/local-stack';
import { join } from 'node:path';
import { readOptions } from './options';
import { findPreviousArchive } from './previous-archive';
import type { Version } from './roll';
import { runCheck } from './run-check';

/** Version of a folder with compiled services: a checkout, or an unpacked archive. */
const versionIn = (folder: string, version: string): Version => ({
  version,
  programOf: (service) => join(folder, 'services', service, 'dist/src/main.js'),
});

/** `npm run check:upgrade`: a release runs together with the previous one; docs/operations/upgrade.md. */
runAsCommand(async ({ report, interrupted }) => {
  const { from, perSecond } = readOptions(process.argv.slice(2));
  const previous = await findPreviousArchive(from, report);
  const plan = {
    from: versionIn(previous.folder, previous.version),
    to: versionIn(findPlaces(process.env).checkout, 'this build'),
    perSecond,
    report,
  };
  const problems = await Promise.race([runCheck(plan), interrupted]);
  report(problems.length === 0 ? 'no accepted start was lost, no request was refused' : `${problems.length} problems`);
  return problems.length === 0 ? 0 : 1;
});
