import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestServers } from '../debian/test-servers';
import { prepareTree } from '../debian/chroot';
import { freePorts } from '../processes/free-port';
import type { DataFolder } from '../stack/data-folder';

/** A request that the proxy got. */
export interface ProxiedLine {
  /** Name of the port on which the request arrived. */
  readonly port: string;
  readonly method: string;
  /** URL, or `host:port` of a tunnel, as the proxy has read it. */
  readonly target: string;
  /** Address that the proxy connected to, undefined if to none. */
  readonly reached: string | undefined;
  readonly status: number;
}

/** Names of the ports of a proxy. */
export interface SquidPorts<Name extends string> {
  /** Ports on which it forwards everything. */
  readonly open: readonly Name[];
  /** Ports on which it applies rules. */
  readonly ruled: readonly Name[];
  /** Lines of its settings. */
  readonly rules: string;
}

/** A Squid that answers. */
export interface Squid<Name extends string> {
  /** Value of OUTBOUND_PROXY for a port. */
  readonly urlOf: (port: Name) => string;
  /** Ends it. Returns its access log. */
  stop(): Promise<readonly ProxiedLine[]>;
}

const settingsOf = (ports: ReadonlyMap<string, number>, open: readonly string[], nameServer: string, rules: string) => `
${[...ports].map(([name, port]) => `http_port 127.0.0.1:${port} name=${name}`).join('\n')}
pid_filename none
pinger_enable off
netdb_filename none
cache deny all
cache_log stdio:/data/cache.log
logformat told %lp %rm %ru %<a %>Hs
access_log stdio:/data/access.log told
dns_nameservers ${nameServer}
hosts_file none
visible_hostname proxy
shutdown_lifetime 0 seconds
coredump_dir /data
acl open myportname ${open.join(' ')}
http_access allow open
${rules}
`;

/**
 * Starts a proxy of the tree on free ports of 127.0.0.1, below `squid` of the data folder.
 * @param nameServer address of the server that it asks for names
 */
export async function startSquid<Name extends string>(
  tree: string,
  folder: DataFolder,
  nameServer: string,
  { open, ruled, rules }: SquidPorts<Name>,
): Promise<Squid<Name>> {
  const home = join(folder.path, 'squid');
  mkdirSync(home, { recursive: true });
  const inTree = await prepareTree(tree, home);
  const names = [...open, ...ruled];
  const numbers = await freePorts(names.length);
  const ports = new Map<string, number>(names.map((name, index) => [name, numbers[index] ?? 0]));
  const data = join(home, 'data');
  writeFileSync(join(data, 'squid.conf'), settingsOf(ports, open, nameServer, rules));
  const stop = await startTestServers(
    [
      {
        name: 'test-squid',
        port: numbers[0] ?? 0,
        program: ['/usr/sbin/squid-gnutls', '-N', '-f', '/data/squid.conf'],
        hello: Buffer.from('GET nothing HTTP/1.1\r\n\r\n'),
        stopSignal: 'SIGTERM',
      },
    ],
    inTree,
    folder,
  );
  const nameOf = new Map([...ports].map(([name, port]) => [String(port), name]));
  return {
    urlOf: (port) => `http://127.0.0.1:${ports.get(port)}`,
    stop: async () => {
      await stop();
      const lines = readFileSync(join(data, 'access.log'), 'utf8').split('\n');
      return lines.flatMap((line) => lineOf(line, nameOf));
    },
  };
}

/** Undefined for a line that is not about a request. */
function lineOf(line: string, nameOf: ReadonlyMap<string, string>): readonly ProxiedLine[] {
  const [number = '', method = '', target = '', reached = '', status = ''] = line.split(' ');
  const port = nameOf.get(number);
  if (port === undefined || target.startsWith('error:')) return [];
  return [{ port, method, target, reached: reached === '-' ? undefined : reached, status: Number(status) }];
}
