import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runCommand } from '@weft/local-stack';

/** File with the SHA-256 sums of the others, in the form of `sha256sum`. */
export const SUMS_FILE = 'SHA256SUMS';

/**
 * Packs a folder into a compressed archive whose bytes depend only on the contents: entries in the order of their
 * names, one time, no owner, and modes without the umask of the builder.
 * @param parent folder of the folder
 * @param time seconds since 1970
 */
export async function packFolder(parent: string, name: string, file: string, time: number): Promise<void> {
  await runCommand('tar', [
    ...['--create', '--format=gnu', '--sort=name', '--hard-dereference', `--mtime=@${time}`],
    ...['--owner=0', '--group=0', '--numeric-owner', '--mode=u+rw,go+rX,go-w', '--use-compress-program=gzip --no-name'],
    ...['--file', file, '--directory', parent, name],
  ]);
}

/** Writes the sums of all files of a folder. @returns its lines */
export async function writeSums(folder: string): Promise<readonly string[]> {
  const names = readdirSync(folder).filter((name) => name !== SUMS_FILE);
  const lines = await Promise.all(names.sort().map(async (name) => `${await sha256(join(folder, name))}  ${name}`));
  writeFileSync(join(folder, SUMS_FILE), `${lines.join('\n')}\n`);
  return lines;
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
