import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { StackError } from '../errors';
import type { Ledger, StopManner } from './ledger';
import { lastLines } from './log-file';

/** Command and settings of a process. */
export interface ProcessPlan {
  /** Name in sentences, in the log folder and in the ledger; unique in its stack. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: NodeJS.ProcessEnv;
  /** Current folder; that of this process by default. */
  readonly cwd?: string;
  /** Takes everything the process prints. The log of an earlier start is retained next to it as `.previous`. */
  readonly logFile: string;
  readonly stopManner: StopManner;
  /** Ledger of the process while it runs. */
  readonly ledger: Ledger;
}

/** End of a process: its exit code, or the signal that ended it. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Every process of this kind that runs now. They lead separate groups, so nothing else ends them with us. */
const alive = new Set<ManagedProcess>();
let endsWithUs = false;

/**
 * A child process with its log. It leads a separate process group, so Ctrl-C at the keyboard reaches only its parent.
 */
export class ManagedProcess {
  /** Resolves when the process has ended in any way; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  private end: ProcessEnd | undefined;

  private constructor(
    private readonly plan: ProcessPlan,
    private readonly child: ChildProcess,
  ) {
    this.ended = new Promise((settle) => {
      const note = (end: ProcessEnd): void => {
        this.end ??= end;
        alive.delete(this);
        plan.ledger.remove(plan.name);
        settle(this.end);
      };
      child.once('exit', (code, signal) => note({ code, signal }));
      child.once('error', () => note({ code: -1, signal: null }));
    });
  }

  /** Starts the process. That it could not be started shows as an end with code -1. */
  static start(plan: ProcessPlan): ManagedProcess {
    mkdirSync(dirname(plan.logFile), { recursive: true });
    if (existsSync(plan.logFile)) renameSync(plan.logFile, `${plan.logFile}.previous`);
    const log = openSync(plan.logFile, 'a', 0o600);
    try {
      const child = spawn(plan.command, plan.args, {
        env: plan.env,
        stdio: ['ignore', log, log],
        detached: true,
        cwd: plan.cwd,
      });
      const managed = new ManagedProcess(plan, child);
      if (managed.child.pid === undefined) return managed;
      plan.ledger.add(plan.name, managed.child.pid);
      endWithUs(managed);
      return managed;
    } finally {
      closeSync(log);
    }
  }

  get name(): string {
    return this.plan.name;
  }

  get logFile(): string {
    return this.plan.logFile;
  }

  /** Process number; -1 if it could not be started. */
  get pid(): number {
    return this.child.pid ?? -1;
  }

  get hasEnded(): boolean {
    return this.end !== undefined;
  }

  /** Sends a signal; nothing happens if the process has ended. */
  kill(signal: NodeJS.Signals): void {
    if (!this.hasEnded) this.child.kill(signal);
  }

  /** Sets whether this process stays alive for as long as that one runs; by default it does. */
  holdParent(holds: boolean): void {
    if (holds) this.child.ref();
    else this.child.unref();
  }

  /** Asks the process to end in its own manner, kills it when its time is up, and returns when it has ended. */
  async stop(): Promise<void> {
    const { signal, graceMs } = this.plan.stopManner;
    this.kill(signal);
    const timer = setTimeout(() => this.kill('SIGKILL'), graceMs);
    await this.ended;
    clearTimeout(timer);
  }

  /** One sentence on how it ended, followed by its last log lines. */
  describeEnd(): StackError {
    const how = this.end?.signal
      ? `was ended by ${this.end.signal}`
      : `ended with exit code ${this.end?.code ?? 'unknown'}`;
    const lines = lastLines(this.logFile, 12);
    const shown =
      lines.length === 0
        ? 'It printed nothing.'
        : `Its last lines were:\n${lines.map((line) => `    ${line}`).join('\n')}`;
    return new StackError(`${this.name} ${how}. ${shown}\n(all of them: ${this.logFile})`);
  }

  /** Throws {@link describeEnd} if the process has ended. */
  throwIfEnded(): void {
    if (this.hasEnded) throw this.describeEnd();
  }
}

/** However this process ends, short of SIGKILL, its children end with it. */
function endWithUs(managed: ManagedProcess): void {
  alive.add(managed);
  if (endsWithUs) return;
  endsWithUs = true;
  process.on('exit', () => alive.forEach((each) => each.kill('SIGKILL')));
}
