import type { Execution } from '@weft/client';
import { memberOf } from '../../ui/values/json';

/** A call of a tool that waits for a decision. */
export interface Approval {
  /** Id of the approval within the execution. */
  readonly run: string;
  readonly node: string;
  /** The function that the model called. */
  readonly tool: string;
  /** Its arguments; undefined if they are too long. */
  readonly input: unknown;
  /** ISO 8601. */
  readonly requestedAt: string | undefined;
  /** ISO 8601; the call counts as rejected from then on. */
  readonly expiresAt: string | undefined;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Calls of an execution that wait for a decision. */
export const approvalsOf = (execution: Execution): readonly Approval[] => {
  const listed = memberOf(execution, 'approvals');
  return (Array.isArray(listed) ? listed : []).flatMap((entry: unknown) => {
    const [run, node, tool] = ['run', 'node', 'tool'].map((name) => textOf(memberOf(entry, name)));
    if (run === undefined || node === undefined) return [];
    return [
      {
        run,
        node,
        tool: tool ?? node,
        input: memberOf(entry, 'input'),
        requestedAt: textOf(memberOf(entry, 'requestedAt')),
        expiresAt: textOf(memberOf(entry, 'expiresAt')),
      },
    ];
  });
};
