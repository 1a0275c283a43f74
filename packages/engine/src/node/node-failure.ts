import type { JsonObject } from '@weft/node-catalogue';
import { isTooDeep } from '@weft/service-kit/json';
import type { ExecutionError } from '../records/run-record';

/** Optional details of a failure. */
export interface FailureDetails {
  /** Advice for the person who reads the run. */
  readonly description?: string;
  /** The input item that could not be handled. */
  readonly itemIndex?: number;
  /** Machine-readable facts, such as a status code. */
  readonly context?: JsonObject;
  readonly cause?: unknown;
  /** Kind of failure as clients see it: `NodeOperationError` (the default) or `NodeApiError`. */
  readonly name?: string;
}

/**
 * The one error class that executors throw. Everything else that is thrown is reported as a failure without details.
 */
export class NodeFailure extends Error {
  readonly description: string | undefined;
  readonly itemIndex: number | undefined;
  readonly context: JsonObject | undefined;

  constructor(message: string, details: FailureDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = details.name ?? 'NodeOperationError';
    this.description = details.description;
    this.itemIndex = details.itemIndex;
    this.context = details.context;
  }
}

/** The failure of a node whose credential does not exist in this instance. */
export function missingCredential(
  { type, name = '', id }: { readonly type: string; readonly name?: string; readonly id: string },
  cause?: unknown,
): NodeFailure {
  const called = name === '' ? `with the id ${JSON.stringify(id.slice(0, 100))}` : JSON.stringify(name.slice(0, 200));
  return new NodeFailure(`The credential ${called} of type ${type} does not exist`, {
    description:
      name === ''
        ? 'Choose a credential that exists.'
        : 'Create a credential with this name and type, and save or activate the workflow again: it is then linked ' +
          'by its name. Or choose another credential in the node.',
    cause,
  });
}

const TOO_DEEP = 'The data is nested deeper than this node can handle';

/** The message of any thrown value, as one line of text. */
export function messageOf(thrown: unknown): string {
  if (isTooDeep(thrown)) return TOO_DEEP;
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Converts any thrown value to the shape of run records. Stack traces are omitted: they name files of this service. */
export function errorRecordOf(thrown: unknown, node: { readonly name: string; readonly type: string }): ExecutionError {
  const at = { name: node.name, type: node.type };
  if (!(thrown instanceof NodeFailure)) {
    const name = isTooDeep(thrown) ? 'NodeOperationError' : thrown instanceof Error ? thrown.name : 'Error';
    return { name, message: messageOf(thrown), node: at };
  }
  const context = thrown.itemIndex === undefined ? thrown.context : { ...thrown.context, itemIndex: thrown.itemIndex };
  return {
    name: thrown.name,
    message: thrown.message,
    ...(thrown.description === undefined ? {} : { description: thrown.description }),
    ...(context === undefined ? {} : { context }),
    node: at,
  };
}
