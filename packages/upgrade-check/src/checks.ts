import { checkRuns, clientKeyOf, tellReply } from '@weft/chaos/check-runs';
import type { Reply } from '@weft/chaos/crowd';
import { idIn } from '@weft/chaos/id-in';
import type { Sink } from '@weft/chaos/sink';
import type { Wanted } from '@weft/chaos/start-run';
import type { ExecutionRow } from '@weft/chaos/store';
import { LONG_CALLERS } from './kinds';
import type { Asked } from './requests';

/** Everything that clients saw, and what the store holds in the end. */
export interface Evidence {
  readonly wanted: readonly Wanted[];
  readonly asked: readonly Asked[];
  /** Records of the workflows that {@link wanted} started, without children and scheduled runs. */
  readonly rows: readonly ExecutionRow[];
  readonly sink: Pick<Sink, 'calls' | 'ticks'>;
}

/** Meaning of a reply to its client. */
export interface Outcome {
  /**
   * `late`: a caller that waits for long was told to ask for the run, which was started. `cut`: the connection broke.
   * Both are repeated. `refused`: any other answer that is not the expected one.
   */
  readonly result: 'answered' | 'late' | 'refused' | 'cut';
  /** Milliseconds of Date.now(). */
  readonly doneAt: number;
  /** The error of a connection that was cut. */
  readonly error?: string;
}

const resultOf = ({ kind }: Wanted, reply: Reply): Outcome['result'] => {
  if (reply.kind === 'broken') return 'cut';
  if (reply.status < 400) return 'answered';
  return reply.status === 503 && LONG_CALLERS.has(kind.name) && idIn(reply.text) !== undefined ? 'late' : 'refused';
};

const cutOf = (reply: Reply): Pick<Outcome, 'error'> => (reply.kind === 'broken' ? { error: reply.what } : {});

/** The outcomes of all replies to clients. */
export const outcomesOf = ({ wanted, asked }: Pick<Evidence, 'wanted' | 'asked'>): readonly Outcome[] => [
  ...wanted.flatMap((one) =>
    one.replies.map((reply) => ({ result: resultOf(one, reply), doneAt: reply.doneAt, ...cutOf(reply) })),
  ),
  ...asked.flatMap(({ replies, refusal }) =>
    replies.map((reply): Outcome => {
      const answered = refusal === undefined ? 'answered' : 'refused';
      return { result: reply.kind === 'broken' ? 'cut' : answered, doneAt: reply.doneAt, ...cutOf(reply) };
    }),
  ),
];

/** Starts that were accepted, but have no record that succeeded: what an upgrade must never cause. */
export const lostStarts = ({ wanted, rows }: Pick<Evidence, 'wanted' | 'rows'>): readonly string[] => {
  const ends = new Map(rows.map((row) => [clientKeyOf(row), row.state]));
  return wanted
    .filter(({ accepted, key }) => accepted !== undefined && ends.get(key) !== 'success')
    .map(({ key }) => `${key} was accepted, and is ${ends.get(key) ?? 'not stored'}`);
};

const refusedStarts = (wanted: readonly Wanted[]): readonly string[] =>
  wanted.flatMap((one) =>
    one.replies
      .filter((reply) => resultOf(one, reply) === 'refused')
      .map((reply) => `start ${one.key}: ${tellReply(reply)} at ${new Date(reply.doneAt).toISOString()}`),
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
