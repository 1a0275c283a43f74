import type { NodeDefinition, OnError } from '@weft/node-catalogue/definitions';

/** Total number of tries: the default, and the bounds. */
export const TRIES = { initial: 3, min: 2, max: 5 } as const;
/** Milliseconds between two tries, likewise. */
export const WAIT_BETWEEN_TRIES_MS = { initial: 1_000, min: 0, max: 5_000 } as const;

/** Options of a node, with every default filled in and every bound applied. */
export interface NodeOptions {
  readonly disabled: boolean;
  readonly onError: OnError;
  /** Tries in all; 1 if a failure is final. */
  readonly tries: number;
  readonly waitBetweenTriesMs: number;
  readonly alwaysOutputData: boolean;
  readonly executeOnce: boolean;
  /** As a tool: a person must approve each call. */
  readonly approval: boolean;
}

/** Reads the options of a node. `continueOnFail`, the older form, applies where `onError` is not set. */
export function nodeOptionsOf(node: NodeDefinition): NodeOptions {
  const retries = node.retryOnFail === true;
  return {
    disabled: node.disabled === true,
    onError: node.onError ?? (node.continueOnFail === true ? 'continueRegularOutput' : 'stopWorkflow'),
    tries: retries ? clamp(node.maxTries, TRIES) : 1,
    waitBetweenTriesMs: clamp(node.waitBetweenTries, WAIT_BETWEEN_TRIES_MS),
    alwaysOutputData: node.alwaysOutputData === true,
    executeOnce: node.executeOnce === true,
    approval: node.approval !== undefined,
  };
}

function clamp(stated: number | undefined, bounds: { initial: number; min: number; max: number }): number {
  return Math.min(bounds.max, Math.max(bounds.min, Math.floor(stated ?? bounds.initial)));
}
