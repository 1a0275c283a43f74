import { messageOf } from '../errors';
import type { Report } from '../errors';
import { startDatabases } from '../databases/start-databases';
import type { DatabaseVariables } from '../databases/start-databases';
import { findChromium } from '../debian/find-chromium';
import { findSquid, type ProxyVariables } from '../egress-proxy/squid-tree';
import { type MongodbVariables, startMongodbWithLogin } from '../mongodb/start-with-login';
import { findPlaces } from '../places';
import { findPrometheus } from '../prometheus/find-prometheus';
import { startRemoteServers } from '../remote-servers/start-remote-servers';
import { startS3, type S3Variables } from '../remote-servers/start-s3';
import type { RemoteVariables } from '../remote-servers/start-remote-servers';
import { openDataFolder, removeDatabases, sweepTemporaryFolders, temporaryFolder } from '../stack/data-folder';
import { startServers } from '../stack/start-servers';
import { removeStaleOutputs } from '../test-runner/compiled-tree';
import { LAYERS, runJest } from '../test-runner/run-jest';
import type { JestOutcome } from '../test-runner/run-jest';
import { runLint } from '../test-runner/run-lint';
import { slowestFilesLines } from '../test-runner/slowest-files';
import { NO_TOTALS, addTotals, totalsLine } from '../test-runner/totals';
import { runAsCommand } from './run-as-command';

const NOTHING_RAN: JestOutcome = { totals: NO_TOTALS, files: [], isBroken: false };

/**
 * `npm test [-- jest arguments]` and `npm run test:long [-- jest arguments]`: all layers of tests against a real NATS
 * and MongoDB, without the files named `*.long.test.ts` or only those. The last line is the totals.
 */
runAsCommand(async ({ report, stopped }) => {
  const abort = new AbortController();
  void stopped.then(() => abort.abort());
  const [first, ...rest] = process.argv.slice(2);
  const isLong = first === '--long';
  const run = { args: isLong ? rest : process.argv.slice(2), isLong, report, signal: abort.signal };
  let outcome: JestOutcome = { ...NOTHING_RAN, isBroken: true };
  try {
    removeStaleOutputs(findPlaces(process.env).checkout);
    outcome = await withServers(report, (servers) => runAll({ ...run, servers }));
  } catch (error) {
    report(messageOf(error));
  }
  const { totals, files, isBroken } = outcome;
  if (files.length > 0) report(`The slowest of ${files.length} test files:`);
  for (const line of slowestFilesLines(files)) report(line);
  report(`The run took ${process.uptime().toFixed(0)} s.`);
  if (totals.passed + totals.failed === 0)
    report(isLong ? 'No test ran.' : 'No test ran. Files named *.long.test.ts run with `npm run test:long`.');
  report(totalsLine(totals));
  return isBroken || totals.failed > 0 || totals.passed === 0 ? 1 : 0;
});

interface TestRun {
  /** Further arguments of jest, such as a part of a path. */
  readonly args: readonly string[];
  readonly isLong: boolean;
  readonly servers: ServerVariables;
  readonly report: Report;
  readonly signal: AbortSignal;
}

/** Variables with the addresses of the servers, for the tests. */
interface ServerVariables
  extends
    Partial<DatabaseVariables>,
    Partial<MongodbVariables>,
    Partial<RemoteVariables>,
    Partial<S3Variables>,
    Partial<ProxyVariables> {
  readonly MONGODB_URI: string;
  readonly NATS_URL: string;
}

async function withServers<T>(report: Report, use: (servers: ServerVariables) => Promise<T>): Promise<T> {
  const { cache, data } = findPlaces(process.env);
  await sweepTemporaryFolders(data);
  const folder = await openDataFolder(temporaryFolder(data), report);
  try {
    const [servers, databases, remote, s3, proxy] = await Promise.all([
      startServers({ cache, folder, environment: process.env, report, isThrowaway: true }),
      orNone(() => startDatabases(cache, folder, report), report),
      orNone(() => startRemoteServers(cache, folder, report), report),
      orNone(() => startS3(cache, folder, report), report),
      orNone(() => findSquid(cache, report), report),
    ]);
    const mongodb = await orNone(() => startMongodbWithLogin(cache, folder, servers.mongodbUri, report), report);
    try {
      const nodes = { ...databases?.variables, ...mongodb?.variables, ...remote?.variables, ...s3?.variables };
      return await use({ MONGODB_URI: servers.mongodbUri, NATS_URL: servers.natsUrl, ...nodes, ...proxy });
    } finally {
      await Promise.all([databases?.stop(), mongodb?.stop(), remote?.stop(), s3?.stop()]);
      await servers.stop();
      removeDatabases(folder.path);
    }
  } finally {
    folder.release();
    // a test that was ended may have left its stack running; its logs stay until the next run
    await sweepTemporaryFolders(data, removeDatabases);
  }
}

/** Servers that nodes talk to. Without them their tests are skipped, and say so. */
async function orNone<Servers>(start: () => Promise<Servers>, report: Report): Promise<Servers | undefined> {
  try {
    return await start();
  } catch (error) {
    report(messageOf(error));
    return undefined;
  }
}

/** All layers, and alongside them the style of the source, unless tests are named or only the long ones run. */
async function runAll(run: TestRun): Promise<JestOutcome> {
  const { args, isLong, report } = run;
  const isEverything = args.length === 0 && !isLong;
  const { checkout, cache } = findPlaces(process.env);
  // Tests wait for a part of their time, so together they take less time than one after the other.
  const linting = isEverything ? runLint(checkout, cache).catch(messageOf) : undefined;
  const [errors, outcome] = await Promise.all([linting, runLayers(run)]);
  if (errors === undefined) return outcome;
  report(`${errors}\nThe style check failed; what it found is above. It counts as one failed test.`);
  return { ...outcome, totals: addTotals(outcome.totals, { passed: 0, failed: 1, skipped: 0 }), isBroken: true };
}

async function runLayers({ args, isLong, servers, report, signal }: TestRun): Promise<JestOutcome> {
  const { checkout } = findPlaces(process.env);
  let outcome = NOTHING_RAN;
  for (const layer of LAYERS) {
    if (signal.aborted) return { ...outcome, isBroken: true };
    const programs = layer === 'e2e' ? await findPrograms(report) : {};
    const environment = { ...process.env, ...servers, ...programs };
    const result = await runJest({ checkout, layer, isLong, args, environment, signal });
    outcome = {
      totals: addTotals(outcome.totals, result.totals),
      files: [...outcome.files, ...result.files],
      isBroken: outcome.isBroken || result.isBroken,
    };
  }
  return outcome;
}

/** Variables with the paths of the programs that only stories use, without those that cannot be found. */
async function findPrograms(report: Report): Promise<Record<string, string>> {
  const { cache } = findPlaces(process.env);
  const CHROMIUM = await findChromium(process.env, report);
  const PROMETHEUS = await findPrometheus(cache, process.env, report);
  return { ...(CHROMIUM === undefined ? {} : { CHROMIUM }), ...(PROMETHEUS === undefined ? {} : { PROMETHEUS }) };
}
