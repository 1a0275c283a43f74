import type { AppDocument, AppPoll } from '@weft/app-model';
import {
  compiled,
  letOf,
  listOf,
  optionally,
  pagesOf,
  type PreparedLet,
  type PreparedPages,
  type PreparedRequest,
  type PreparedStep,
  requestOf,
  stepsOf,
} from '../prepare-request';
import type { Template } from '../template';

/** The poll of a kind, ready to be made. */
export interface PreparedPoll {
  readonly let: PreparedLet;
  readonly steps: readonly PreparedStep[];
  readonly request: PreparedRequest;
  readonly pages: PreparedPages | undefined;
  /** A path into the response body, or a template that gives an array. */
  readonly list: Template | string;
  readonly key: Template;
  /** Undefined: entries are compared by their places. */
  readonly newest: Template | undefined;
  readonly changes: Template | undefined;
  readonly max: Template | undefined;
  readonly each: readonly PreparedStep[];
  readonly accept: Template | undefined;
  readonly item: Template | undefined;
}

/** Prepares the poll of a kind. */
export function preparePoll(app: AppDocument, kind: string, poll: AppPoll): PreparedPoll {
  const at = `${app.name}: kinds.${kind}`;
  const path = `${at}.poll`;
  const optional = optionally(compiled);
  return {
    let: [...letOf(app.kinds[kind]?.let, `${at}.let`), ...letOf(poll.let, `${path}.let`)],
    steps: stepsOf(app, poll.steps, path, compiled),
    request: requestOf(app, poll.call, poll, path, compiled),
    pages: pagesOf(app, poll.pages),
    list: listOf(poll.list, `${path}.list`, compiled),
    key: compiled(poll.key, `${path}.key`),
    newest: optional(poll.newest, `${path}.newest`),
    changes: optional(poll.changes, `${path}.changes`),
    max: optional(poll.max, `${path}.max`),
    each: stepsOf(app, poll.each, `${path}.each`, compiled),
    accept: optional(poll.accept, `${path}.accept`),
    item: optional(poll.item, `${path}.item`),
  };
}
