import { type KindDescriptor, toolBaseOf } from '@weft/node-catalogue';
import type { NodeExecutor, RunNode } from '@weft/engine';
import { toolExecutor } from './tool-executor';

/** Runs of tools that differ from those of their kinds, by kind. */
export type ToolRuns = Readonly<Record<string, RunNode>>;

/**
 * Executors by kind, in which those of the tools of the kinds are found as well. They are made when they are looked up,
 * and are not listed.
 */
export class ToolRegistry extends Map<string, NodeExecutor> {
  readonly #tools = new Map<string, NodeExecutor>();

  /**
   * @param describe gives the descriptor of a kind or a tool
   * @param runs replace the run of a kind in its tool
   */
  constructor(
    entries: Iterable<readonly [string, NodeExecutor]>,
    private readonly describe: (kind: string) => KindDescriptor | undefined,
    private readonly runs: ToolRuns = {},
  ) {
    super(entries);
  }

  override get(kind: string): NodeExecutor | undefined {
    return super.get(kind) ?? this.#tools.get(kind) ?? this.#make(kind);
  }

  override has(kind: string): boolean {
    return super.has(kind) || this.get(kind) !== undefined;
  }

  #make(kind: string): NodeExecutor | undefined {
    const name = toolBaseOf(kind);
    const base = name === undefined ? undefined : super.get(name);
    if (name === undefined || base === undefined) return undefined;
    const descriptor = this.describe(kind);
    if (descriptor === undefined) return undefined;
    const run = Object.hasOwn(this.runs, name) ? this.runs[name] : undefined;
    const made = toolExecutor(kind, base, () => descriptor, run);
    this.#tools.set(kind, made);
    return made;
  }
}
