/**
 * The page's side of previews: a worker that is replaced when an expression takes too long, and the data that it is
 * given. Imports no interpreter.
 */
import type { PreviewPlace } from './evaluate-preview';
import { ItemLoader, type LoadItems } from './item-loader';
import type { OutputPlace } from './partial-items';
import type { CompletionOutcome, PreviewExecution, PreviewOutcome } from './previewer';
import type { ToWorker } from './protocol';
import { WorkerQueue, type StartWorker } from './worker-queue';

export { inferSources } from './infer-sources';
export type { ItemPage, LoadItems } from './item-loader';
export type { MissingMember } from './missing-member';
export type { OutputPlace } from './partial-items';
export type { ShownValue } from './show-value';
export type { CompletionOption, CompletionOutcome, PreviewExecution, PreviewRun } from './previewer';
export type { PreviewPlace } from './evaluate-preview';
export type { FromWorker, ToWorker, WorkerThread } from './protocol';

/** Limits of previews. */
export interface PreviewLimits {
  /** Milliseconds of one evaluation. */
  readonly evaluationMs: number;
  /** Milliseconds in which a worker takes the draft and the data. */
  readonly setUpMs: number;
  /** Rounds of loading data for one evaluation. */
  readonly rounds: number;
  /** Bytes that one evaluation loads. */
  readonly evaluationBytes: number;
  /** Bytes that all evaluations of one execution load. */
  readonly executionBytes: number;
}

export const PREVIEW_LIMITS: PreviewLimits = {
  evaluationMs: 250,
  setUpMs: 10_000,
  rounds: 5,
  evaluationBytes: 2_000_000,
  executionBytes: 16_000_000,
};

/** Dependencies of a session. */
export interface SessionPorts {
  readonly startWorker: StartWorker;
  readonly loadItems: LoadItems;
}

/**
 * No preview: a run shows the value. `data`: it needs more data than a preview loads; `time`: it takes too long;
 * `unavailable`: data could not be loaded, or this browser cannot run the worker.
 */
export interface Later {
  readonly kind: 'later';
  readonly why: 'data' | 'time' | 'unavailable';
}

/** Result of a preview, or the reason why there is none. */
export type SessionOutcome = Exclude<PreviewOutcome, { readonly kind: 'missing' }> | Later;

type Missing = { readonly kind: 'missing'; readonly place: OutputPlace; readonly index: number };

/** Expressions that are remembered for having taken too long. */
const MAX_SLOW = 100;

/** Previews of one open workflow. */
export class PreviewSession {
  readonly #limits: PreviewLimits;
  readonly #queue: WorkerQueue;
  readonly #loader: ItemLoader;
  /** Number of the latest request of each key. */
  readonly #latest = new Map<string, number>();
  #number = 0;
  readonly #slow = new Set<string>();
  #types: readonly unknown[] | undefined;
  #definition: string | undefined;
  #execution: PreviewExecution | undefined;

  constructor({ startWorker, loadItems }: SessionPorts, limits: PreviewLimits = PREVIEW_LIMITS) {
    this.#limits = limits;
    this.#queue = new WorkerQueue(startWorker, () => this.#setUp(), limits.setUpMs);
    this.#loader = new ItemLoader(loadItems, limits.executionBytes, (message) => this.#queue.post(message));
  }

  /** Sets the node types, as the API returns them. */
  setKinds(types: readonly unknown[]): void {
    this.#types = types;
    this.#queue.postLong({ kind: 'kinds', types });
  }

  /** Sets the text of the draft. */
  setDefinition(text: string): void {
    if (text === this.#definition) return;
    this.#definition = text;
    this.#queue.postLong({ kind: 'definition', text });
  }

  /** Sets the execution whose data is shown. Items of another one are forgotten. */
  setExecution(execution: PreviewExecution): void {
    if (execution === this.#execution) return;
    this.#execution = execution;
    this.#slow.clear();
    this.#loader.setExecution(execution);
    this.#queue.postLong({ kind: 'execution', execution });
  }

  /**
   * Previews a text.
   * @param key of the field: a later request for it ends this one
   * @returns undefined if there was a later request
   */
  async evaluate(key: string, text: string, place: PreviewPlace): Promise<SessionOutcome | undefined> {
    this.#number += 1;
    const number = this.#number;
    this.#latest.set(key, number);
    const isCurrent = (): boolean => this.#latest.get(key) === number;
    const slowKey = `${text}\u0000${JSON.stringify(place)}`;
    if (this.#slow.has(slowKey)) return { kind: 'later', why: 'time' };
    const outcome = await this.#withData(text, place, isCurrent, async (): Promise<SessionOutcome | Missing> => {
      const answer = await this.#queue.ask((id) => ({ kind: 'evaluate', id, text, place }), this.#limits.evaluationMs);
      if (answer.kind === 'evaluated') return answer.outcome;
      if (answer.kind !== 'timeout') return { kind: 'later', why: 'unavailable' };
      if (this.#slow.size < MAX_SLOW) this.#slow.add(slowKey);
      return { kind: 'later', why: 'time' };
    });
    if (!isCurrent()) return undefined;
    this.#latest.delete(key);
    return outcome;
  }

  /** Names that can be typed at an offset of a text. */
  async complete(text: string, offset: number, place: PreviewPlace): Promise<CompletionOutcome> {
    const isCurrent = (): boolean => true;
    const outcome = await this.#withData(text, place, isCurrent, async (): Promise<CompletionOutcome> => {
      const message = { kind: 'complete', text, offset, place } as const;
      const answer = await this.#queue.ask((id) => ({ ...message, id }), this.#limits.evaluationMs);
      return answer.kind === 'completed' ? answer.outcome : { kind: 'none' };
    });
    return outcome?.kind === 'options' ? outcome : { kind: 'none' };
  }

  /** Ends the worker. */
  close(): void {
    this.#queue.close();
  }

  #setUp(): ToWorker[] {
    const [types, text, execution] = [this.#types, this.#definition, this.#execution];
    return [
      ...(types === undefined ? [] : [{ kind: 'kinds', types } as const]),
      ...(text === undefined ? [] : [{ kind: 'definition', text } as const]),
      ...(execution === undefined ? [] : [{ kind: 'execution', execution } as const]),
      ...this.#loader.pages,
    ];
  }

  /** Repeats a question while it lacks data that may be loaded. */
  async #withData<Outcome extends { readonly kind: string }>(
    text: string,
    place: PreviewPlace,
    isCurrent: () => boolean,
    ask: () => Promise<Outcome | Missing>,
  ): Promise<Outcome | Later | undefined> {
    let bytes = 0;
    const asked = new Set<string>();
    let last = '';
    for (let round = 0; ; round += 1) {
      const outcome = await ask();
      if (!isCurrent()) return undefined;
      if (!isMissing(outcome)) return outcome;
      const left = this.#limits.evaluationBytes - bytes;
      if (round >= this.#limits.rounds || left < 0) return { kind: 'later', why: 'data' };
      const output = `${outcome.place.executionIndex} ${outcome.place.output}`;
      // An item that is missing from its page is too long.
      if (last === `${output} ${outcome.index}`) return { kind: 'later', why: 'data' };
      last = `${output} ${outcome.index}`;
      const loaded = await this.#loader.load(outcome.place, outcome.index, asked.has(output), left);
      if (typeof loaded === 'string') return { kind: 'later', why: loaded === 'failed' ? 'unavailable' : 'data' };
      if (round === 0 && /\$(?:\(|node|items)/.test(text)) await this.#loader.loadAhead(place.sources, outcome.index);
      bytes += loaded;
      asked.add(output);
    }
  }
}

function isMissing(outcome: { readonly kind: string }): outcome is Missing {
  return outcome.kind === 'missing';
}
