import { randomBytes } from 'node:crypto';
import { executionQueueNames, workQueuesOf } from '@weft/proto/execution-queue';
import { deleteStreams } from '../nats/delete-streams';
import type { Report } from '../errors';
import { findPlaces } from '../places';
import type { Environment } from '../places';
import { makeFolder } from '../processes/make-folder';
import { checkPorts } from './check-ports';
import { openDataFolder, removeDatabases, temporaryFolder } from './data-folder';
import type { DataFolder } from './data-folder';
import { loadSecrets } from './secrets';
import type { Secrets } from './secrets';
import { streamOf } from './service-environment';
import type { ServiceName } from './services';
import { startServers } from './start-servers';
import type { Servers } from './start-servers';

/** Foundation of the processes of a stack: a data folder with its secrets, NATS and MongoDB. */
export interface StackBase {
  readonly checkout: string;
  readonly folder: DataFolder;
  readonly secrets: Secrets;
  readonly servers: Servers;
  /** First part of the names of databases and streams. */
  readonly namespace: string;
  readonly environment: Environment;
  /** True if it lasts as long as a test; its data folder is removed but for the logs. */
  readonly isTemporary: boolean;
  /** Stops the servers that the stack started and releases the data folder; a temporary one retains only its logs. */
  clear(): Promise<void>;
}

/** Options of the stack base. */
export interface StackBaseOptions {
  /** Data folder to use and retain; without it the stack is a temporary one. */
  readonly dataDir?: string;
  /** Starts NATS and MongoDB even where the environment names some, so that they can be killed. */
  readonly ownServers?: boolean;
  /** The environment to read; that of this process by default. */
  readonly environment?: Environment;
  /** Ports that must be free before anything starts. */
  readonly ports?: Readonly<Record<ServiceName, number>>;
  /** Notified of progress; none by default. */
  readonly report?: Report;
}

/** Takes the data folder, checks the ports, and starts both servers. Stops what it has started if it throws. */
export async function prepareStackBase(options: StackBaseOptions): Promise<StackBase> {
  const report = options.report ?? (() => undefined);
  const all = options.environment ?? process.env;
  const environment = options.ownServers ? { ...all, MONGODB_URI: undefined, NATS_URL: undefined } : all;
  const { checkout, cache, data } = findPlaces(environment);
  const isTemporary = options.dataDir === undefined;
  makeFolder(cache, 'cache folder', 'WEFT_CACHE');
  const folder = await openDataFolder(options.dataDir ?? temporaryFolder(data), report);
  try {
    if (options.ports !== undefined) await checkPorts(options.ports);
    const secrets = loadSecrets(folder.path, environment);
    const servers = await startServers({ cache, folder, environment, report });
    // a temporary stack may share its servers with others
    const namespace = isTemporary ? `weft_${randomBytes(4).toString('hex')}` : 'weft';
    const clear = async (): Promise<void> => {
      const streams = workQueuesOf(executionQueueNames(streamOf(namespace))).map(({ stream }) => stream);
      if (isTemporary && servers.nats === undefined && !(await deleteStreams(servers.natsUrl, streams)))
        report(`The streams ${streams.join(' and ')} stay on ${servers.natsUrl}.`);
      await servers.stop();
      if (isTemporary) removeDatabases(folder.path);
      folder.release();
    };
    return { checkout, folder, secrets, servers, namespace, environment, isTemporary, clear };
  } catch (error) {
    folder.release();
    throw error;
  }
}
