import type { ChildProcess, StdioOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** V8's stack in KiB and heap in MiB in the regex process. */
const STACK_KB = 3_000;
const HEAP_MB = 96;

const ENVIRONMENT = { TZ: 'UTC' };
/** The kernel would open an io_uring after the seal. */
const SEALED_ENVIRONMENT = { ...ENVIRONMENT, UV_USE_IO_URING: '0' };
/** Node flags of the program that runs code. */
export const CODE_FLAGS: readonly string[] = [
  // Threads are not copied by a fork, so V8 must not rely on any.
  '--single-threaded',
  // For the process's own realm; user realms may.
  '--disallow-code-generation-from-strings',
  '--disable-proto=delete',
  '--no-warnings',
  // Below the 8 MiB of a main thread's stack, so that deep recursion is an error instead of a crash.
  '--stack-size=900',
  '--max-semi-space-size=8',
];

const UNSHARE = '/usr/bin/unshare';
const PRLIMIT = '/usr/bin/prlimit';

/** A process whose input and output are pipes. */
export type PipedProcess = ChildProcess & { stdin: Writable; stdout: Readable };

/** Command of a sealed program: its absolute path, Node flags, V8 heap in MiB, and arguments. */
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
 * A layer of confinement that a system may lack: a network namespace without interfaces; limits on files, descriptors
 * and core dumps.
 */
export type SandboxLayer = 'network' | 'limits';

/** Called when processes are started without a layer of confinement. */
export type OnMissingLayer = (layer: SandboxLayer) => void;

/** Number of failed starts before the kernel counts as refusing a network namespace: one may have been killed. */
const MAX_FAILED_STARTS = 2;

/**
 * Working directory of the programs. None of them may read or write there; one created for them would stay behind when
 * this process is killed.
 */
const FOLDER = '/';

/** Starts programs of this folder with nothing but two pipes: no environment, and no other descriptor. */
export class SandboxSpawner {
  readonly #onMissingLayer: OnMissingLayer;
  readonly #layers: Set<SandboxLayer>;
  #isProven = false;
  #failedStarts = 0;

  /** @param onMissingLayer called once for each missing layer */
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

  /** Starts a program that seals itself, which replaces all other confinement. */
  spawnSealed(...command: SealedCommand): PipedProcess {
    return this.#start(process.execPath, sealedValues(command), SEALED_ENVIRONMENT);
  }

  /** Starts a program that forks on request over the Node IPC channel, and whose copies seal themselves. */
  spawnForkServer(...command: SealedCommand): ChildProcess {
    const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc'];
    return spawn(process.execPath, sealedValues(command), { cwd: FOLDER, env: SEALED_ENVIRONMENT, stdio });
  }

  /** Called when a process became ready: its confinement works here, and is no longer given up. */
  proven(): void {
    this.#isProven = true;
    this.#failedStarts = 0;
  }

  /**
   * Called when a process ended before it was ready. If none ever became ready, the kernel may not allow a network
   * namespace: after two failures processes are started without one. The limits remain.
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

/** Commands in front of a program, outermost first. */
const ALL_LAYERS: readonly SandboxLayer[] = ['network', 'limits'];
const CONFINEMENT: Readonly<Record<SandboxLayer, readonly string[]>> = {
  network: [UNSHARE, '--user', '--map-root-user', '--net', '--'],
  limits: [PRLIMIT, '--core=0', '--fsize=0', '--nofile=64', '--'],
};

/** The layers for which this system has the tools. Whether the kernel allows them shows at the first start. */
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
