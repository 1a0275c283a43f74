import { checkRuns, clientKeyOf } from '@weft/chaos/check-runs';
import type { Reply } from '@weft/chaos/crowd';
import type { Sink } from '@weft/chaos/sink';
import type { Wanted } from '@weft/chaos/start-run';
import type { ExecutionRow } from '@weft/chaos/store';
import type { Asked } from './requests';

/** Everything that clients saw, and what the store holds in the end. */
export interface Evidence {
  readonly wanted: readonly Wanted[];
  readonly asked: readonly Asked[];
  /** Records of the workflows that {@link wanted} started, without children and scheduled runs. */
  readonly rows: readonly ExecutionRow[];
  readonly sink: Pick<Sink, 'calls' | 'ticks'>;
}

const isRefusal = (reply: Reply): boolean => reply.kind === 'answer' && reply.status >= 400;

/** True if a reply is an answer of a client's request that refuses it. */
export const refusalsOf = (replies: readonly Reply[]): number => replies.filter(isRefusal).length;

/** Starts that were accepted, but have no record that succeeded: what an upgrade must never cause. */
export const lostStarts = ({ wanted, rows }: Pick<Evidence, 'wanted' | 'rows'>): readonly string[] => {
  const ends = new Map(rows.map((row) => [clientKeyOf(row), row.state]));
  return wanted
    .filter(({ accepted, key }) => accepted !== undefined && ends.get(key) !== 'success')
    .map(({ key }) => `${key} was accepted, and is ${ends.get(key) ?? 'not stored'}`);
};

const refusedStarts = (wanted: readonly Wanted[]): readonly string[] =>
  wanted.flatMap(({ key, replies }) =>
    replies.flatMap((reply) =>
      reply.kind === 'answer' && isRefusal(reply)
        ? [`start ${key}: ${reply.status} ${reply.text.slice(0, 200)} at ${new Date(reply.doneAt).toISOString()}`]
        : [],
    ),
  );

/** Due times of a schedule that were started more than once, or left out between the first and the last. */
export const scheduleFaults = (ticks: Sink['ticks'], everyMs: number): readonly string[] => {
  const dues = [...ticks].map(([due, keys]) => ({ at: Date.parse(due), runs: keys.size })).sort((a, b) => a.at - b.at);
  return dues.flatMap(({ at, runs }, index) => {
    const previous = dues[index - 1];
    return [
      ...(runs > 1 ? [`${runs} runs of the due time ${new Date(at).toISOString()}`] : []),
      ...(previous !== undefined && at - previous.at > everyMs * 1.5
        ? [`no run between ${new Date(previous.at).toISOString()} and ${new Date(at).toISOString()}`]
        : []),
    ];
  });
};

/** All violations as sentences. */
export const findProblems = (evidence: Evidence, scheduleMs: number): readonly string[] => [
  ...lostStarts(evidence).map((sentence) => `lost: ${sentence}`),
  ...refusedStarts(evidence.wanted).map((sentence) => `refused: ${sentence}`),
  ...evidence.asked.flatMap(({ refusal }) => (refusal === undefined ? [] : [`refused: ${refusal}`])),
  ...checkRuns({ ...evidence, hadDeaths: false }).map(
    ({ check, executionId, what }) => `${check}: ${what} ${executionId}`,
  ),
  ...scheduleFaults(evidence.sink.ticks, scheduleMs).map((sentence) => `schedule: ${sentence}`),
];
