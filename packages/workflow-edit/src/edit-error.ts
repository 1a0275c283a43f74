/**
 * The kind of error, for code that reacts to it:
 * - `INVALID_JSON`: the text is not JSON, or exceeds a limit of size, depth or keys;
 * - `NOT_A_WORKFLOW`: the JSON is not a workflow or, on the clipboard, contains none;
 * - `UNKNOWN_NODE`: no node of the workflow has the name;
 * - `NAME_TAKEN`: another node has the name;
 * - `INVALID_NAME`: the name is empty, too long, or contains half of a character;
 * - `INVALID_VALUE`: a path, port or value that the workflow cannot hold;
 * - `TOO_LARGE`: the result would exceed a limit of workflows;
 * - `UNSAFE_RENAME`: an expression or code that refers to the node cannot be rewritten without changing what it does;
 * - `INVALID_CURL`: a curl command that cannot become an HTTP request node.
 */
export type EditErrorCode =
  | 'INVALID_JSON'
  | 'NOT_A_WORKFLOW'
  | 'UNKNOWN_NODE'
  | 'NAME_TAKEN'
  | 'INVALID_NAME'
  | 'INVALID_VALUE'
  | 'TOO_LARGE'
  | 'UNSAFE_RENAME'
  | 'INVALID_CURL';

/** The one error that this package throws. The message is a sentence for the person who edits. */
export class EditError extends Error {
  override readonly name = 'EditError';

  constructor(
    readonly code: EditErrorCode,
    message: string,
    /** Offset in characters, for a text that cannot be read. */
    readonly position?: number,
  ) {
    super(message);
  }
}
