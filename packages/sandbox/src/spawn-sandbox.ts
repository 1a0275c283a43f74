import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** Stack of V8 in KiB: that of the engine lies on it. */
const STACK_KB = 3_000;
/** Heap of V8 in MiB. The engine's memory is not in it. */
const HEAP_MB = 96;

const UNSHARE = '/usr/bin/unshare';
const PRLIMIT = '/usr/bin/prlimit';

/** A process whose input and output are pipes. */
export type PipedProcess = ChildProcess & { stdin: Writable; stdout: Readable };

/**
 * Starts programs of this folder that get nothing but two pipes: no environment, no other descriptor, an empty folder.
 */
export class SandboxSpawner {
  readonly #folder = emptyFolder();
  #isConfined = true;

  /** Starts a program of this folder, `child/main` for example. Its arguments are its only configuration. */
  spawn(program: string, ...values: readonly string[]): PipedProcess {
    const path = join(__dirname, `${program}.js`);
    const confinement = this.#isConfined ? confinementOf() : [];
    const [command = process.execPath, ...rest] = [...confinement, process.execPath, ...nodeFlags(), path, ...values];
    return spawn(command, rest, { cwd: this.#folder, env: { TZ: 'UTC' }, stdio: ['pipe', 'pipe', 'ignore'] });
  }

  /**
   * Notified when a process ended before it was ready. The kernel may not let a process have its own network, so from
   * then on they are started without that. True if it makes sense to try again.
   */
  loosen(): boolean {
    const wasConfined = this.#isConfined && confinementOf().length > 0;
    this.#isConfined = false;
    return wasConfined;
  }

  /** Removes the folder. */
  close(): void {
    if (this.#folder !== '/') rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * A network without any interface, no core dumps, no files, few descriptors: where the system has the tools and the
 * kernel lets us.
 */
function confinementOf(): readonly string[] {
  if (process.platform !== 'linux' || !existsSync(UNSHARE) || !existsSync(PRLIMIT)) return [];
  return [UNSHARE, '--user', '--map-root-user', '--net', '--', PRLIMIT, '--core=0', '--fsize=0', '--nofile=64', '--'];
}

function nodeFlags(): readonly string[] {
  const permission = ['--permission', '--experimental-permission'].find((flag) =>
    process.allowedNodeEnvironmentFlags.has(flag),
  );
  const readable =
    permission === undefined ? [] : [permission, ...readableFolders().map((folder) => `--allow-fs-read=${folder}/*`)];
  return [
    ...readable,
    '--disable-proto=delete',
    '--no-warnings',
    `--stack-size=${STACK_KB}`,
    `--max-old-space-size=${HEAP_MB}`,
  ];
}

/** Files that the programs load: their own and the libraries of the prelude. */
function readableFolders(): readonly string[] {
  const libraries = ['@jitl/quickjs-wasmfile-release-sync/package.json', 'luxon/package.json', 'jmespath/package.json'];
  return [__dirname, ...libraries.map((path) => dirname(require.resolve(path)))].map((folder) => realpathSync(folder));
}

function emptyFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'weft-sandbox-'));
  } catch {
    // No place to write to: the root is as good, as nothing may be read there.
    return '/';
  }
}
