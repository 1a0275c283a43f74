import type { ChildProcess, StdioOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** Stack of V8 in KiB, and its heap in MiB, in a process for regular expressions. */
const STACK_KB = 3_000;
const HEAP_MB = 96;

const ENVIRONMENT = { TZ: 'UTC' };
/** A ring of the kernel's for reading and writing would be opened after the seal. */
const SEALED_ENVIRONMENT = { ...ENVIRONMENT, UV_USE_IO_URING: '0' };
/** Flags of Node for the program that runs code. */
export const CODE_FLAGS: readonly string[] = [
  // Threads are not copied when a process is, so V8 must not count on any.
  '--single-threaded',
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

/** What a sealed program is started with: its absolute path, flags of Node, MiB of V8's heap, and its arguments. */
export type SealedCommand = readonly [
  path: string,
  flags: readonly string[],
  heapMb: number,
  ...values: readonly string[],
];

const sealedValues = ([path, flags, heapMb, ...values]: SealedCommand): string[] => [
  ...flags,
  `--max-old-space-size=${heapMb}`,
  path,
  ...values,
];

/**
 * A layer of confinement that a system may lack: a network without any interface; limits of files, descriptors and
 * core dumps.
 */
export type SandboxLayer = 'network' | 'limits';

/** Told when processes are started without a layer of confinement. */
export type OnMissingLayer = (layer: SandboxLayer) => void;

/** Starts that may fail before the network counts as what this kernel refuses: one may have been killed. */
const MAX_FAILED_STARTS = 2;

/**
 * The folder that programs are started in. None of them may read or write there; one made for them would stay behind
 * when this process is killed.
 */
const FOLDER = '/';

/** Starts programs of this folder that get nothing but two pipes: no environment, and no other descriptor. */
export class SandboxSpawner {
  readonly #onMissingLayer: OnMissingLayer;
  readonly #layers: Set<SandboxLayer>;
  #isProven = false;
  #failedStarts = 0;

  /** @param onMissingLayer told once for each layer that is missing */
  constructor(onMissingLayer: OnMissingLayer = () => undefined, layers = layersOfSystem()) {
    this.#onMissingLayer = onMissingLayer;
    this.#layers = new Set(layers);
    for (const layer of ALL_LAYERS) if (!this.#layers.has(layer)) onMissingLayer(layer);
  }

  /** Starts a program of this folder, `child/regex-main` for example. */
  spawn(program: string): PipedProcess {
    const path = join(__dirname, `${program}.js`);
    const confinement = ALL_LAYERS.flatMap((layer) => (this.#layers.has(layer) ? CONFINEMENT[layer] : []));
    const [command = process.execPath, ...rest] = [...confinement, process.execPath, ...nodeFlags(), path];
    return this.#start(command, rest, ENVIRONMENT);
  }

  /** Starts a program that seals itself, which takes the place of all other confinement. */
  spawnSealed(...command: SealedCommand): PipedProcess {
    return this.#start(process.execPath, sealedValues(command), SEALED_ENVIRONMENT);
  }

  /** Starts a program that copies itself when asked over Node's own channel, and whose copies seal themselves. */
  spawnForkServer(...command: SealedCommand): ChildProcess {
    const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc'];
    return spawn(process.execPath, sealedValues(command), { cwd: FOLDER, env: SEALED_ENVIRONMENT, stdio });
  }

  /** Notified when a process was ready: what confines it works here, and is not given up any more. */
  proven(): void {
    this.#isProven = true;
    this.#failedStarts = 0;
  }

  /**
   * Notified when a process ended before it was ready. If none ever was, the kernel may not let a process have its own
   * network: after two failures they are started without that. The limits remain.
   * @returns true if it makes sense to try again
   */
  failed(): boolean {
    this.#failedStarts += 1;
    if (this.#failedStarts < MAX_FAILED_STARTS) return true;
    if (this.#isProven || !this.#layers.delete('network')) return false;
    this.#failedStarts = 0;
    this.#onMissingLayer('network');
    return true;
  }

  #start(command: string, values: readonly string[], env: NodeJS.ProcessEnv): PipedProcess {
    return spawn(command, values, { cwd: FOLDER, env, stdio: ['pipe', 'pipe', 'ignore'] });
  }
}

/** Commands in front of a program, from the outermost. */
const ALL_LAYERS: readonly SandboxLayer[] = ['network', 'limits'];
const CONFINEMENT: Readonly<Record<SandboxLayer, readonly string[]>> = {
  network: [UNSHARE, '--user', '--map-root-user', '--net', '--'],
  limits: [PRLIMIT, '--core=0', '--fsize=0', '--nofile=64', '--'],
};

/** The layers for which this system has the tools. Whether the kernel lets us use them, the first start shows. */
function layersOfSystem(): readonly SandboxLayer[] {
  if (process.platform !== 'linux') return [];
  return ALL_LAYERS.filter((layer) => existsSync(CONFINEMENT[layer][0] ?? ''));
}

function nodeFlags(): readonly string[] {
  const permission = ['--permission', '--experimental-permission'].find((flag) =>
    process.allowedNodeEnvironmentFlags.has(flag),
  );
  const readable = permission === undefined ? [] : [permission, `--allow-fs-read=${realpathSync(__dirname)}/*`];
  return [
    ...readable,
    '--disable-proto=delete',
    '--no-warnings',
    `--stack-size=${STACK_KB}`,
    `--max-old-space-size=${HEAP_MB}`,
  ];
}
