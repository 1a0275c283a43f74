import { type FormatContext, FormatStopped, runFormatTask } from './run-format-task';
import type { TextJob, TextOutcome } from './tasks';

/**
 * Runs all jobs in batches and returns their outcomes. A job that ends the process is sent again alone, so that only it
 * fails.
 * @param stopsAtError true to leave out the outcomes after the first error
 * @throws FormatError if the data is not to blame
 */
export async function runTexts(
  context: FormatContext,
  jobs: readonly TextJob[],
  stopsAtError: boolean,
): Promise<TextOutcome[]> {
  const outcomes: TextOutcome[] = [];
  /** Jobs before this index are sent one by one because one of them ended the process. */
  let aloneUntil = 0;
  while (outcomes.length < jobs.length) {
    const from = outcomes.length;
    const sent = jobs.slice(from, from < aloneUntil ? from + 1 : jobs.length);
    try {
      const told = await runFormatTask(context, 'texts', { jobs: sent, stopsAtError });
      if (told.length === 0) throw new FormatStopped('engine', 'The text');
      for (const outcome of told.slice(0, sent.length)) outcomes.push(outcome);
    } catch (error) {
      if (!(error instanceof FormatStopped) || !error.isByData) throw error;
      if (sent.length === 1) outcomes.push({ error: error.message });
      else aloneUntil = jobs.length;
    }
    const last = outcomes.at(-1);
    if (stopsAtError && last !== undefined && 'error' in last) return outcomes;
  }
  return outcomes;
}
