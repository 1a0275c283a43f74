import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDatabases, runCommand, tryCommand } from '@weft/local-stack';

/** A data folder whose database has a separate disk in memory. */
export interface SmallDisk {
  /** The data folder of the stack. */
  readonly dataDir: string;
  /** Takes all room that is left. */
  readonly fill: () => Promise<void>;
  /** Gives it back. */
  readonly free: () => void;
  /** Removes the disk; the logs next to it stay. */
  readonly close: () => void;
}

/** More than the log and tables of a run of some thousand executions. */
const SIZE_MIB = 2_048;

/** Left to be filled block by block. */
const REST_BYTES = 32 * 1_048_576;

/** True if this process may mount file systems. */
export const canMount = (): boolean => process.platform === 'linux' && process.getuid?.() === 0;

/** Mounts the disk. @throws Error if this process may not */
export const mountSmallDisk = async (): Promise<SmallDisk> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weft-chaos-'));
  const disk = join(dataDir, 'mongodb');
  const ballast = join(disk, 'ballast');
  mkdirSync(disk);
  await runCommand('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MIB}m,mode=0755`, 'tmpfs', disk]);
  // lazily: the namespaces of processes that are ending still hold it
  const unmount = (): void => void spawnSync('umount', ['-l', disk]);
  // an interrupted run ends without closing anything
  process.once('exit', unmount);
  return {
    dataDir,
    fill: async () => {
      const { bavail, bsize } = statfsSync(disk);
      await tryCommand('fallocate', ['-l', String(Math.max(bsize, bavail * bsize - REST_BYTES)), ballast]);
      // the database writes meanwhile: this ends when there is no room for another block
      await tryCommand('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4096', 'oflag=append', 'conv=notrunc']);
    },
    free: () => rmSync(ballast, { force: true }),
    close: () => {
      unmount();
      process.off('exit', unmount);
      removeDatabases(dataDir);
    },
  };
};
