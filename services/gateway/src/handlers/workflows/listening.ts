import type { Listening } from '@weft/proto/listening';
import { monotonicTimeOf } from '@weft/service-kit/context';
import { InternalError } from '@weft/service-kit/errors';
import { checkMessageSize } from '../../http/message-size';
import { quote, timeText } from '../../http/json-text';
import { optionalText } from '../../http/read-query';
import { anyObject, integer, object, readBody, text } from '../../http/shape';
import { DELETED, dataAnswer } from '../../middleware/responses/write-answer';
import { component, described, ID, listOf, oneOf, record, TEXT, TIME } from '../../openapi/schema';
import type { ApiHandler } from '../api-handler';

const MAX_SECONDS = 300;

/** Body of a request to wait for a call. */
export const LISTENING_BODY = object(
  {
    node: text({ description: 'The name of an enabled webhook that has no pinned items.' }),
    definition: anyObject({
      description: 'The definition to run instead of the stored one, such as a draft; as in the body of a start.',
    }),
    seconds: integer(1, MAX_SECONDS, { description: 'How long it waits.', default: 120 }),
  },
  { required: ['node'] },
);

/** `data` of the responses. */
export const LISTENING = component(
  'Listening',
  record(
    {
      state: described(
        '`called`: the call has come, which ended it. `none`: nothing waits.',
        oneOf('waiting', 'called', 'none'),
      ),
    },
    {
      id: described('Differs for every start.', ID),
      node: TEXT,
      methods: listOf(TEXT),
      url: described('Address of the call; parameters of its path are written as `:name`.', TEXT),
      until: described('When it ends without a call.', TIME),
      executionId: described('The execution that the call starts.', ID),
    },
  ),
);

const NOTHING = '{"state":"none"}';

const pathOf = (path: string): string =>
  path
    .split('/')
    .map((part) => (part.startsWith(':') ? part : encodeURIComponent(part)))
    .join('/');

const stateOf = ({ executionId, until }: Listening): 'waiting' | 'called' | 'none' => {
  if (executionId !== undefined) return 'called';
  return until !== undefined && monotonicTimeOf(until.getTime()) > performance.now() ? 'waiting' : 'none';
};

const listeningText = (listening: Listening | undefined, origin: string): string => {
  if (listening === undefined || stateOf(listening) === 'none') return NOTHING;
  const { id, node, methods, path, until, executionId } = listening;
  return (
    `{"state":"${stateOf(listening)}","id":${quote(id)},"node":${quote(node)},"methods":${JSON.stringify(methods)},` +
    `"url":${quote(`${origin}/webhook-test/${pathOf(path)}`)},"until":${timeText(until)}` +
    `${executionId === undefined ? '' : `,"executionId":${quote(executionId)}`}}`
  );
};

/**
 * PUT /workflows/:id/listening, an addition: waits for one call of a webhook below `/webhook-test/`, which runs the
 * definition as a manual run. It replaces an earlier listening of the workflow.
 */
export const startListening: ApiHandler = async ({ id, body, principal, ingressOrigin }, { listening: { calls } }) => {
  const { node = '', definition, seconds = 0 } = readBody(LISTENING_BODY, body);
  const draft = definition === undefined ? undefined : JSON.stringify(definition);
  checkMessageSize(draft?.length ?? 0);
  const { listening } = await calls.startListening(
    { workflowId: id, node, seconds, ...(draft === undefined ? {} : { definition: Buffer.from(draft) }) },
    { principal },
  );
  if (listening === undefined) throw new InternalError(new Error('The workflows service omitted the listening.'));
  return dataAnswer(listeningText(listening, ingressOrigin()));
};

/** GET /workflows/:id/listening, an addition: what the workflow waits for, or the call that has ended it. */
export const getListening: ApiHandler = async ({ id, principal, ingressOrigin }, { listening: { calls } }) => {
  const { listening } = await calls.getListening({ workflowId: id }, { principal });
  return dataAnswer(listeningText(listening, ingressOrigin()));
};

/** Parameter that names one listening. */
export const LISTENING_ID = optionalText(
  'listeningId',
  'Only this one, so that a later one of another editor continues.',
);

/** DELETE /workflows/:id/listening, an addition: stops waiting. Repeating it changes nothing. */
export const stopListening: ApiHandler = async ({ id, query, principal }, { listening: { calls } }) => {
  await calls.stopListening({ workflowId: id, listeningId: LISTENING_ID.read(query) ?? '' }, { principal });
  return DELETED;
};
