import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtOnce } from '../cache/built-once';
import { StackError } from '../errors';
import type { Report } from '../errors';
import { findGo, goInstall } from '../go/go-install';
import { freePorts } from '../processes/free-port';
import { ManagedProcess } from '../processes/managed-process';
import type { DataFolder } from '../stack/data-folder';
import { waitUntil } from '../wait-until';
import { REMOTE_LOGIN } from './sshd';

/** Versity S3 Gateway, which checks signatures. */
const SOURCE = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';

/** Address of an S3 server for tests, as an environment variable. */
export interface S3Variables {
  readonly TEST_S3_URL: string;
}

/** An S3 server that answers. */
export interface S3Server {
  readonly variables: S3Variables;
  stop(): Promise<void>;
}

/**
 * Starts an S3 server on a free port of 127.0.0.1, empty, below `s3` of the data folder; builds it with Go first if the
 * cache lacks it. @throws StackError where it cannot be set up
 */
export async function startS3(cache: string, folder: DataFolder, report: Report): Promise<S3Server> {
  const recipe = {
    name: 's3-server',
    inputs: { source: SOURCE },
    build: async (into: string): Promise<void> => {
      if ((await findGo()) === undefined)
        throw new StackError(
          'The tests of S3 nodes are skipped; they need Go 1.25 or newer, with which a server is built.',
        );
      report('building an S3 server for the tests with Go (about two minutes, once per machine)');
      await goInstall(cache, SOURCE, into, report);
    },
  };
  const program = join(await builtOnce(cache, recipe, report), 'versitygw');
  const home = join(folder.path, 's3');
  rmSync(home, { recursive: true, force: true });
  for (const part of ['files', 'facts']) mkdirSync(join(home, part), { recursive: true });
  const [port = 0] = await freePorts(1);
  const server = ManagedProcess.start({
    name: 'test-s3',
    command: program,
    args: [
      ...['--access', REMOTE_LOGIN.user, '--secret', REMOTE_LOGIN.password, '--port', `127.0.0.1:${port}`],
      // Metadata of files is kept in separate files: not every file system has attributes for it.
      ...['posix', '--sidecar', join(home, 'facts'), join(home, 'files')],
    ],
    env: { PATH: process.env['PATH'], TZ: 'UTC' },
    logFile: join(folder.path, 'logs/test-s3.log'),
    stopManner: { signal: 'SIGTERM', graceMs: 5_000 },
    ledger: folder.ledger,
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = async (): Promise<boolean> =>
    fetch(url).then(
      () => true,
      () => false,
    );
  const isUp = await waitUntil(async () => server.hasEnded || (await answers()), { limitMs: 60_000 });
  if (isUp !== true || server.hasEnded) {
    await server.stop();
    throw new StackError(`The S3 server of the tests did not get ready; its log is ${server.logFile}.`);
  }
  const { user, password } = REMOTE_LOGIN;
  return { variables: { TEST_S3_URL: `http://${user}:${password}@127.0.0.1:${port}` }, stop: () => server.stop() };
}
