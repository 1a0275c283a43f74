import type { Violation } from '../checks/evidence';
import type { Sink } from '../environment/sink';
import { idIn } from '../load/id-in';
import type { ExecutionRow } from '../watch/store';
import type { Reply } from './tenants/crowd';
import type { Wanted } from './start-run';

/** Evidence about the runs of clients. */
export interface RunEvidence {
  readonly wanted: readonly Wanted[];
  /** All records of their workflows. */
  readonly rows: readonly ExecutionRow[];
  readonly sink: Pick<Sink, 'calls'>;
  /** True if a process was killed on purpose: then a call may have been made again. */
  readonly hadDeaths: boolean;
}

const say = (check: string, executionId: string, what: string): Violation => ({ check, executionId, what });

/** The client's part of a dedupe key. */
export const clientKeyOf = ({ idempotencyKey = '' }: Pick<ExecutionRow, 'idempotencyKey'>): string =>
  idempotencyKey.slice(idempotencyKey.lastIndexOf(':') + 1);

const callsOf = (sink: Pick<Sink, 'calls'>): Map<string, number[]> => {
  const calls = new Map<string, number[]>();
  for (const [key, { length }] of sink.calls) {
    const id = key.split(':')[0] ?? '';
    calls.set(id, [...(calls.get(id) ?? []), length]);
  }
  return calls;
};

const faultsOfRun = (wanted: Wanted, row: ExecutionRow, calls: readonly number[], hadDeaths: boolean): Violation[] => {
  const { kind, key, ids } = wanted;
  const why =
    `${kind.name} ${key}: ${row.state} ${row.error?.reason ?? ''} ${row.error?.message.slice(0, 160) ?? ''} ` +
    `(fence ${row.fence}, crashes ${row.crashes})`;
  const repeated = calls.filter((count) => count > 1).length;
  const named = [...ids].filter((id) => id !== row._id);
  return [
    ...(row.state === 'success' ? [] : [say('every run succeeds', row._id, why)]),
    ...(row.crashes > 0 && !hadDeaths ? [say('no run is charged with a crash', row._id, why)] : []),
    ...(repeated > 0 && !hadDeaths
      ? [
          say(
            'no side effect is repeated',
            row._id,
            `${kind.name} ${key}: ${repeated} calls were made more than once (fence ${row.fence})`,
          ),
        ]
      : []),
    ...(row.state === 'success' && calls.length !== kind.effects
      ? [
          say(
            'a success has done all that it says',
            row._id,
            `${kind.name} ${key}: ${calls.length} of ${kind.effects} calls came`,
          ),
        ]
      : []),
    ...(named.length > 0
      ? [say('answers name the run', row._id, `${kind.name} ${key}: named ${named.join(', ')}`)]
      : []),
  ];
};

/** Each requested run exists once, succeeded, and had its effect once. */
export const checkRuns = ({ wanted, rows, sink, hadDeaths }: RunEvidence): Violation[] => {
  const calls = callsOf(sink);
  const byKey = new Map<string, ExecutionRow[]>();
  for (const row of rows) byKey.set(clientKeyOf(row), [...(byKey.get(clientKeyOf(row)) ?? []), row]);
  const found = wanted.flatMap((each): Violation[] => {
    const own = byKey.get(each.key) ?? [];
    byKey.delete(each.key);
    const [row] = own;
    const last = each.replies.at(-1);
    return [
      ...(each.accepted === undefined
        ? [
            say(
              'every start is accepted in the end',
              row?._id ?? '',
              `${each.kind.name} ${each.key}: ${each.replies.length} attempts, last ${tellReply(last)}`,
            ),
          ]
        : []),
      ...(each.fault === undefined
        ? []
        : [say('answers are right', row?._id ?? '', `${each.kind.name} ${each.key}: ${each.fault}`)]),
      ...(own.length > 1
        ? [
            say(
              'one run for a key',
              row?._id ?? '',
              `${each.kind.name} ${each.key}: ${own.map(({ _id }) => _id).join(', ')}`,
            ),
          ]
        : []),
      ...(row === undefined && each.accepted !== undefined
        ? [say('what was accepted is stored', '', `${each.kind.name} ${each.key}`)]
        : []),
      ...own.flatMap((one) => faultsOfRun(each, one, calls.get(one._id) ?? [], hadDeaths)),
    ];
  });
  return [
    ...found,
    ...[...byKey].map(([key, [row]]) =>
      say('every stored run was requested', row?._id ?? '', `a run under the key ${key}`),
    ),
  ];
};

/** A reply in a few words. */
export const tellReply = (reply: Reply | undefined): string =>
  reply === undefined ? 'none' : reply.kind === 'broken' ? reply.what : `${reply.status} ${reply.text.slice(0, 200)}`;

/**
 * Every answer is success, 429, or 503 with Retry-After that names the run if there is one by then.
 * @param createdAt when the run of a key was stored, in milliseconds of Date.now(); undefined: it was not
 */
export const checkAnswers = (wanted: readonly Wanted[], createdAt: (key: string) => number | undefined): Violation[] =>
  wanted.flatMap(({ kind, key, replies }) =>
    replies.flatMap((reply): Violation[] => {
      const of = (check: string, what = ''): Violation =>
        say(
          check,
          '',
          `${kind.name} ${key}: ${what}${tellReply(reply)} at ${new Date(reply.doneAt).toISOString()} after ` +
            `${reply.doneAt - reply.sentAt} ms`,
        );
      if (reply.kind === 'broken') return [of('connections end politely')];
      if ((reply.status >= 200 && reply.status < 300) || reply.status === 429) return [];
      if (reply.status !== 503) return [of('no start is answered with anything but success, 429 or 503')];
      if (reply.retryAfter === undefined) return [of('503 says when to ask again')];
      const stored = createdAt(key);
      return stored !== undefined && stored <= reply.doneAt && idIn(reply.text) === undefined
        ? [of('503 names the run that was started', `stored ${reply.doneAt - stored} ms before: `)]
        : [];
    }),
  );
