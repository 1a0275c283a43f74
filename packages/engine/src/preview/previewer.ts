import {
  ExpressionError,
  globalCompletions,
  memberCompletions,
  rootCompletions,
  type ExpressionErrorType,
  type ExpressionScope,
} from '@weft/expressions';
import type { Json, KindTable, WorkflowDefinition } from '@weft/node-catalogue/definitions';
import { isItemJson, type Item } from '../items/items';
import type { ScopeFrame } from '../node/node-scope';
import type { NodeRunRecord, RunSource } from '../records/run-record';
import { previewFrame, previewScope, previewText, type PreviewPlace } from './evaluate-preview';
import { completionContext, type CompletionContext } from './completion-context';
import { missingMember, type MissingMember } from './missing-member';
import { MissingItem, PartialItems, type OutputPlace } from './partial-items';
import { briefValue, showValue, typeOf, type ShownValue } from './show-value';

/** A node run as `GET /executions/:id/events` and `…/node-runs/:executionIndex` describe it, without its items. */
export interface PreviewRun {
  readonly node: string;
  readonly run: number;
  readonly executionIndex: number;
  /** Absent if it was not read: items are not followed through it. */
  readonly source?: readonly (RunSource | null)[];
  /** Number of items of each output. */
  readonly items: readonly number[];
  readonly hasFailed: boolean;
}

/** The execution whose data previews show; without one, only pins and the workflow itself are known. */
export interface PreviewExecution {
  readonly workflowId: string;
  readonly workflowActive: boolean;
  readonly executionId: string;
  readonly mode: string;
  readonly runs: readonly PreviewRun[];
  readonly customData?: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, Json>>;
  readonly defaultTimezone: string;
}

/** Result of a preview. */
export type PreviewOutcome =
  | { readonly kind: 'value'; readonly value: ShownValue; readonly missing?: MissingMember }
  | {
      readonly kind: 'error';
      readonly type: ExpressionErrorType;
      readonly message: string;
      readonly description?: string;
      /** Offset in the text, its `=` counted. */
      readonly position?: number;
      /** The node that the expression asked for. */
      readonly node?: string;
    }
  /** An item is not loaded: add its page, and ask again. */
  | { readonly kind: 'missing'; readonly place: OutputPlace; readonly index: number };

/** One suggestion. */
export interface CompletionOption {
  readonly name: string;
  readonly kind: 'field' | 'method' | 'root' | 'global' | 'node';
  readonly type?: string;
  /** The beginning of its current value. */
  readonly value?: string;
}

/** Suggestions for the text from `from`; `missing` as in `PreviewOutcome`. */
export type CompletionOutcome =
  | { readonly kind: 'options'; readonly context: CompletionContext; readonly options: readonly CompletionOption[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'missing'; readonly place: OutputPlace; readonly index: number };

/** Members whose current value is read to be shown. */
const MAX_SHOWN_VALUES = 200;

/** Evaluates expressions of a draft over the data of one execution, which is loaded piece by piece. */
export class Previewer {
  #kinds: KindTable = new Map();
  #definition: WorkflowDefinition | undefined;
  #execution: PreviewExecution | undefined;
  #items = new Map<string, PartialItems>();
  #frame: ScopeFrame | undefined;

  setKinds(kinds: KindTable): void {
    this.#kinds = kinds;
    this.#frame = undefined;
  }

  /** Sets the draft; the items that are loaded stay. */
  setDefinition(definition: WorkflowDefinition): void {
    this.#definition = definition;
    this.#frame = undefined;
  }

  /** Sets the execution. Items of another one are forgotten. */
  setExecution(execution: PreviewExecution): void {
    if (this.#execution?.executionId !== execution.executionId) this.#items = new Map();
    this.#execution = execution;
    this.#frame = undefined;
    for (const { executionIndex, items } of execution.runs)
      items.forEach((total, output) => {
        const key = keyOf({ executionIndex, output });
        if (!this.#items.has(key)) this.#items.set(key, new PartialItems({ executionIndex, output }, total));
      });
  }

  /** Adds a page of items, as the API returns them. */
  addItems(place: OutputPlace, offset: number, items: readonly unknown[]): void {
    this.#items.get(keyOf(place))?.add(offset, items.map(readItem));
  }

  /** Evaluates the text of a parameter. @param text with its `=` */
  evaluate(text: string, place: PreviewPlace): PreviewOutcome {
    return this.#guarded((): PreviewOutcome => {
      const scope = this.#scope(place);
      const result = previewText(text, scope);
      const value = showValue(result);
      const isNothing = result === undefined || Number.isNaN(result);
      const missing = isNothing ? missingMember(text, scope) : undefined;
      return { kind: 'value', value, ...(missing !== undefined && { missing }) };
    });
  }

  /** Names that can be typed at an offset of the text. */
  complete(text: string, offset: number, place: PreviewPlace): CompletionOutcome {
    const context = completionContext(text, offset);
    if (context === undefined) return { kind: 'none' };
    const outcome = this.#guarded((): CompletionOutcome => {
      const options = this.#options(context, this.#scope(place));
      return { kind: 'options', context, options };
    });
    return outcome.kind === 'error' ? { kind: 'none' } : outcome;
  }

  #options(context: CompletionContext, scope: ExpressionScope): CompletionOption[] {
    switch (context.kind) {
      case 'root':
        return rootOptions(scope);
      case 'node':
        return [...(this.#definition?.nodes ?? [])].map(({ name }) => ({ name, kind: 'node' }));
      case 'member':
        return memberOptions(previewText(`={{ ${context.head} }}`, scope));
      case 'key':
        return memberOptions(previewText(`={{ ${context.head} }}`, scope)).filter(({ kind }) => kind === 'field');
    }
  }

  #guarded<Outcome>(body: () => Outcome): Outcome | Extract<PreviewOutcome, { readonly kind: 'error' | 'missing' }> {
    try {
      return body();
    } catch (error) {
      const missing = missingItemOf(error);
      if (missing !== undefined) return { kind: 'missing', place: missing.place, index: missing.index };
      if (!(error instanceof ExpressionError)) throw error;
      const { type, message, description, position, node } = error;
      return {
        kind: 'error',
        type,
        message,
        ...(description !== undefined && { description }),
        ...(position !== undefined && { position }),
        ...(node !== undefined && { node }),
      };
    }
  }

  #scope(place: PreviewPlace): ExpressionScope {
    return previewScope(this.#currentFrame(), place);
  }

  #currentFrame(): ScopeFrame {
    const [definition, execution] = [this.#definition, this.#execution];
    if (definition === undefined || execution === undefined)
      throw new RangeError('Set the definition and the execution before the first preview.');
    this.#frame ??= previewFrame({
      ...execution,
      definition,
      kinds: this.#kinds,
      runs: this.#records(execution),
      usePinData: true,
      now: Date.now(),
    });
    return this.#frame;
  }

  #records({ runs }: PreviewExecution): Map<string, NodeRunRecord[]> {
    const records = new Map<string, NodeRunRecord[]>();
    for (const run of [...runs].sort((one, other) => one.run - other.run)) {
      const list = records.get(run.node) ?? [];
      records.set(run.node, list);
      list[run.run] = this.#record(run);
    }
    // A run that is not stored is as if it had given nothing.
    for (const list of records.values())
      for (let at = 0; at < list.length; at += 1) list[at] ??= { ...EMPTY_RECORD, executionIndex: -1 };
    return records;
  }

  #record({ executionIndex, items, source = [], hasFailed }: PreviewRun): NodeRunRecord {
    const main = items.map((_, output) => this.#items.get(keyOf({ executionIndex, output }))?.items ?? []);
    return {
      ...EMPTY_RECORD,
      executionIndex,
      source,
      executionStatus: hasFailed ? 'error' : 'success',
      ...(items.length > 0 && { data: { main } }),
    };
  }
}

const EMPTY_RECORD = { startTime: 0, executionTime: 0, source: [], hints: [], executionStatus: 'success' } as const;

/** An item of another form is shown as one without fields. */
function readItem(value: unknown): Item {
  return isItem(value) ? value : { json: {} };
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && 'json' in value && isItemJson(value.json);
}

function keyOf({ executionIndex, output }: OutputPlace): string {
  return `${executionIndex} ${output}`;
}

/** The missing item behind an error: the interpreter wraps what a scope throws. */
function missingItemOf(error: unknown): MissingItem | undefined {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth += 1)
    if (inner instanceof MissingItem) return inner;
  return undefined;
}

function rootOptions(scope: ExpressionScope): CompletionOption[] {
  const roots = rootCompletions().map((name): CompletionOption => {
    if (name !== '$json') return { name, kind: 'root' };
    return { name, kind: 'root', type: 'object', value: briefValue(scope.item?.json ?? {}) };
  });
  return [...roots, ...globalCompletions().map((name): CompletionOption => ({ name, kind: 'global' }))];
}

function memberOptions(value: unknown): CompletionOption[] {
  return memberCompletions(value).map(({ name, kind }, at): CompletionOption => {
    if (kind !== 'field' || at >= MAX_SHOWN_VALUES) return { name, kind };
    const member: unknown =
      typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
    return { name, kind, type: typeOf(member), value: briefValue(member) };
  });
}
