import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Place of the local address and of the inode in a line of `/proc/net/tcp`; see proc(5). */
const [LOCAL, INODE] = [1, 9] as const;

/** Inodes of the sockets that have this port at their own end. */
const socketsOf = (port: number): ReadonlySet<string> => {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return new Set(
    ['/proc/net/tcp', '/proc/net/tcp6']
      .flatMap((table) => readFileSync(table, 'latin1').split('\n').slice(1))
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[LOCAL]?.endsWith(end) === true)
      .map((fields) => `socket:[${fields[INODE] ?? ''}]`),
  );
};

const openFilesOf = (pid: number): string[] => {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((descriptor) => {
      try {
        return [readlinkSync(`${folder}/${descriptor}`)];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
};

/**
 * Which of these processes has an open connection with this local port: the caller, for the port that a server sees as
 * its caller's. Linux only.
 */
export const findConnectionHolder = <Candidate extends { readonly pid: number }>(
  port: number,
  candidates: readonly Candidate[],
): Candidate | undefined => {
  const sockets = socketsOf(port);
  return candidates.find(({ pid }) => openFilesOf(pid).some((file) => sockets.has(file)));
};
