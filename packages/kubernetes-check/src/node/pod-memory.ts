import { bytesOf, makeMemoryGroup, type MemoryGroup, type MemoryUse } from './memory-group';
import type { Container } from './objects';

const NOTHING: MemoryUse = { oomKills: 0, peakBytes: 0 };

/** The memory of a pod: that of its containers, which run one after the other. */
export class PodMemory {
  #group: MemoryGroup | undefined;
  /** Of containers that have ended. */
  #used = NOTHING;

  constructor(private readonly pod: string) {}

  /**
   * Limits a container whose process has just begun: the little memory that it has taken before counts for the whole
   * machine.
   */
  limit({ name, resources }: Container, pid: number | undefined): void {
    const limit = resources?.limits?.memory;
    if (limit === undefined || pid === undefined) return;
    this.#group = makeMemoryGroup(`weft-${this.pod}-${name}-${pid}`, bytesOf(limit));
    this.#group?.add(pid);
  }

  use(): MemoryUse {
    const { oomKills, peakBytes } = this.#group?.use() ?? NOTHING;
    return { oomKills: this.#used.oomKills + oomKills, peakBytes: Math.max(this.#used.peakBytes, peakBytes) };
  }

  /** The process of the container has ended. @returns true if the kernel killed some of it for lack of memory */
  close(): boolean {
    const before = this.#used.oomKills;
    this.#used = this.use();
    this.#group?.remove();
    this.#group = undefined;
    return this.#used.oomKills > before;
  }
}
