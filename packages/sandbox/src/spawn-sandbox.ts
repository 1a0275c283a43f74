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

const ENVIRONMENT = { TZ: 'UTC' };
/** A ring of the kernel's for reading and writing would be opened after the seal. */
const SEALED_ENVIRONMENT = { ...ENVIRONMENT, UV_USE_IO_URING: '0' };
/** Flags of Node for the program that runs code. */
export const CODE_FLAGS: readonly string[] = [
  // Of the process's own realm; those of users may.
  '--disallow-code-generation-from-strings',
  '--disable-proto=delete',
  '--no-warnings',
  // Below the 8 MiB that a main thread has, so that deep recursion is an error and no crash.
  '--stack-size=900',
  '--max-semi-space-size=8',
];

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
    return this.#start(command, rest, ENVIRONMENT);
  }

  /**
   * Starts a program that seals itself, which takes the place of all other confinement.
   * @param path absolute path of the program
   * @param heapMb MiB of V8's heap
   */
  spawnSealed(path: string, flags: readonly string[], heapMb: number, ...values: readonly string[]): PipedProcess {
    const all = [...flags, `--max-old-space-size=${heapMb}`, path, ...values];
    return this.#start(process.execPath, all, SEALED_ENVIRONMENT);
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

  #start(command: string, values: readonly string[], env: NodeJS.ProcessEnv): PipedProcess {
    return spawn(command, values, { cwd: this.#folder, env, stdio: ['pipe', 'pipe', 'ignore'] });
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
