import type { Execution } from '@weft/proto/executions';
import { STATE_WORDS } from '@weft/proto/execution-words';
import { quote, timeText } from '../../http/json-text';
import { idsParameter, type QueryParameter, wholeParameter } from '../../http/read-query';
import { dataAnswer } from '../../middleware/responses/write-answer';
import { component, described, ID, listOf, oneOf, orNull, record, type Schema, TIME } from '../../openapi/schema';
import type { ApiHandler } from '../api-handler';

const WORKFLOW_IDS = idsParameter('workflowIds', 'Ids of the workflows, separated by commas; at most 50.');
const EACH = wholeParameter('each', 1, 12, 'Executions of each workflow.', 12);

/** Query parameters of listLatestExecutions. */
export const LATEST_QUERY: readonly QueryParameter<unknown>[] = [WORKFLOW_IDS, EACH];

const LATEST_EXECUTION = component(
  'LatestExecution',
  record({
    id: ID,
    state: oneOf(...STATE_WORDS.values()),
    startedAt: orNull(TIME),
    finishedAt: orNull(TIME),
  }),
);

/** Schema of the response: lists by the id of the workflow. */
export const LATEST_EXECUTIONS: Schema = described('By the id of the workflow, newest first.', {
  type: 'object',
  additionalProperties: listOf(LATEST_EXECUTION),
});

const latestText = ({ id, state, startedAt, createdAt, finishedAt }: Execution): string =>
  `{"id":${quote(id)},"state":${quote(STATE_WORDS.get(state) ?? 'queued')},` +
  `"startedAt":${timeText(startedAt ?? createdAt)},"finishedAt":${timeText(finishedAt)}}`;

/** GET /executions/latest, an addition: the newest executions of several workflows, for overviews. */
export const listLatestExecutions: ApiHandler = async ({ query, principal }, { executions }) => {
  const { workflows } = await executions.calls.listLatestExecutions(
    { workflowIds: [...(WORKFLOW_IDS.read(query) ?? [])], each: EACH.read(query) ?? 0 },
    { principal },
  );
  const members = workflows.map(
    ({ workflowId, executions: found }) => `${quote(workflowId)}:[${found.map(latestText).join(',')}]`,
  );
  return dataAnswer(`{${members.join(',')}}`);
};
