import { isDeepStrictEqual } from 'node:util';
import type { CompareCase, Part } from './case';
import type { NeutralRequest } from './neutral-request';
import type { CaseResult } from './run-case';

/** A part in which the two programs differ. */
export interface Difference {
  readonly part: Part;
  readonly weft: unknown;
  readonly n8n: unknown;
}

/** The parts of a case in which its results differ. */
export function differencesOf(one: CompareCase, weft: CaseResult, n8n: CaseResult): Difference[] {
  const parts: readonly (readonly [Part, unknown, unknown])[] = [
    ['requests', shown(one, weft.requests), shown(one, n8n.requests)],
    ['items', weft.items, n8n.items],
    ['runs', weft.runs, n8n.runs],
  ];
  return parts.flatMap(([part, own, other]) =>
    isDeepStrictEqual(own, other) ? [] : [{ part, weft: own, n8n: other }],
  );
}

/** Requests without the words of prompts and of descriptions, where those are Weft's own. */
function shown({ hasOwnPrompts }: CompareCase, requests: readonly NeutralRequest[]): unknown {
  if (hasOwnPrompts !== true) return requests;
  return requests.map(({ messages: _messages, tools, ...rest }) => ({
    ...rest,
    tools: Object.entries(tools).map(([name, tool]) => [name, tool.arguments]),
  }));
}
