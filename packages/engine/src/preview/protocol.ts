import type { PreviewPlace } from './evaluate-preview';
import type { OutputPlace } from './partial-items';
import type { CompletionOutcome, PreviewExecution, PreviewOutcome } from './previewer';

/** Messages to the worker of previews. Those with an `id` are answered, in order. */
export type ToWorker =
  /** Node types, as `GET /node-types` returns them. */
  | { readonly kind: 'kinds'; readonly types: readonly unknown[] }
  /** The text of the draft. */
  | { readonly kind: 'definition'; readonly text: string }
  | { readonly kind: 'execution'; readonly execution: PreviewExecution }
  | { readonly kind: 'items'; readonly place: OutputPlace; readonly offset: number; readonly items: readonly unknown[] }
  | { readonly kind: 'ping'; readonly id: number }
  | { readonly kind: 'evaluate'; readonly id: number; readonly text: string; readonly place: PreviewPlace }
  | {
      readonly kind: 'complete';
      readonly id: number;
      readonly text: string;
      readonly offset: number;
      readonly place: PreviewPlace;
    };

/** Messages of the worker. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'pong'; readonly id: number }
  | { readonly kind: 'evaluated'; readonly id: number; readonly outcome: PreviewOutcome }
  | { readonly kind: 'completed'; readonly id: number; readonly outcome: CompletionOutcome }
  /** A fault of the interpreter. */
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

/** A worker that a session has started. */
export interface WorkerThread {
  readonly post: (message: ToWorker) => void;
  readonly stop: () => void;
}
