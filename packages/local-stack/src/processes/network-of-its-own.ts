import type { CommandLine } from './command-line';
import { tryCommand } from './run-command';

/** Commands of bash, of which the first that fails ends it; `$0` is the file with the resolver. */
const scriptOf = (commands: readonly string[]): string =>
  ['set -e', 'ip link set lo up', ...commands, 'mount --bind "$0" /etc/resolv.conf', 'exec "$@"'].join('\n');

/**
 * Command line that runs a program in a separate network with only the loopback interface. Needs root.
 * @param commands that make the network, such as `ip route add …`
 * @param resolver file that is `/etc/resolv.conf` for the program
 */
export const inNetworkOfItsOwn = (
  commands: readonly string[],
  resolver: string,
  { command, args }: CommandLine,
): CommandLine => ({
  command: 'unshare',
  args: ['--net', '--mount', '--propagation', 'private', 'bash', '-c', scriptOf(commands), resolver, command, ...args],
});

/** Makes every IPv4 and IPv6 address local, so that listeners see all connections to them. */
export const EVERY_ADDRESS = ['ip route add local 0.0.0.0/0 dev lo', 'ip -6 route add local ::/0 dev lo'];

/** True if this machine allows such a network. */
export const canHaveEveryAddress = async (): Promise<boolean> => {
  const { command, args } = inNetworkOfItsOwn(EVERY_ADDRESS, '/dev/null', { command: 'true', args: [] });
  return (await tryCommand(command, args)).code === 0;
};
