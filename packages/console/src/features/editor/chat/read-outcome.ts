import type { Execution } from '@weft/client';
import { isJsonObject } from '@weft/node-catalogue/definitions';
import { answerOf } from '@weft/workflow-edit';
import { itemsQuery, queryClient } from '../../../api/queries';
import { storedRunQuery } from '../../../api/run-queries';
import { isTerminal, wordOf } from '../../../ui/runs/run-state';
import { lastNodeOf, messageOf } from '../../executions/execution-facts';
import { dataOf } from '../../executions/inspector/item-views';
import { firstFilled } from '../../executions/run-model';
import type { Outcome } from './chat-state';

const NO_TEXT = 'The last node gave no text.';

/** The text of the first item of the node that ran last. @throws WeftError */
const readAnswer = async (execution: Execution): Promise<string> => {
  const { events } = await queryClient.fetchQuery({ ...storedRunQuery(execution.id), staleTime: 0 });
  const last = lastNodeOf(execution);
  const finished = events.filter(({ type }) => type === 'node.finished');
  const run = finished.findLast(({ node }) => node === last) ?? finished.at(-1);
  if (run?.executionIndex === undefined) return NO_TEXT;
  const output = firstFilled(run.items ?? []);
  const [item] = (await queryClient.fetchQuery(itemsQuery(execution.id, run.executionIndex, output, 0))).data;
  if (item === undefined) return NO_TEXT;
  const data = dataOf(item);
  const text = typeof data === 'string' || isJsonObject(data) ? answerOf(data) : '';
  return text === '' ? NO_TEXT : text;
};

/** The answer of an ended run, or the reason why it is missing; undefined while it has not ended. @throws WeftError */
export const readOutcome = async (execution: Execution): Promise<Outcome | undefined> => {
  const { state } = execution;
  if (!isTerminal(state)) return undefined;
  if (state === 'success') return { state, text: await readAnswer(execution) };
  return { state, text: messageOf(execution) ?? `The run: ${wordOf(state)}.` };
};
