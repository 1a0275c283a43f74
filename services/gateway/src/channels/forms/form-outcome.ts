import { ExecutionState, type HttpResponse, type StartedExecution } from '@weft/proto/executions';
import { isJsonObject, parseJson, textField } from '@weft/service-kit/json';

/** Content type of messages from a run to the channel of its form; not for browsers. */
const FORM_ANSWER_TYPE = 'application/vnd.weft.form+json';

/** State of the run behind a form. */
export type FormOutcome =
  /** It shows a further page, at the address of this token. */
  | { readonly kind: 'page'; readonly token: string }
  | { readonly kind: 'end'; readonly title: string; readonly message: string; readonly css: string }
  | { readonly kind: 'redirect'; readonly url: string }
  | {
      readonly kind: 'file';
      readonly title: string;
      readonly message: string;
      readonly css: string;
      readonly fileId: string;
      readonly fileName: string;
      readonly mimeType: string;
    }
  /** An answer by a Respond to Webhook node. */
  | { readonly kind: 'answer'; readonly answer: HttpResponse }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'working' };

const typeOf = ({ headers }: HttpResponse): string =>
  headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';

const readAnswer = (answer: HttpResponse): FormOutcome => {
  const location = answer.headers.find(({ name }) => name.toLowerCase() === 'location')?.value;
  if (location !== undefined && answer.statusCode >= 300 && answer.statusCode < 400)
    return { kind: 'redirect', url: location };
  if (typeOf(answer) !== FORM_ANSWER_TYPE) return { kind: 'answer', answer };
  const said = parseJson(answer.body);
  if (!isJsonObject(said)) return { kind: 'done' };
  const text = (key: string): string => textField(said, key) ?? '';
  switch (text('kind')) {
    case 'page':
      return { kind: 'page', token: text('token') };
    case 'redirect':
      return { kind: 'redirect', url: text('url') };
    case 'file':
      return {
        kind: 'file',
        title: text('title'),
        message: text('message'),
        css: text('css'),
        fileId: text('ref'),
        fileName: text('fileName'),
        mimeType: text('mimeType'),
      };
    default:
      return { kind: 'end', title: text('title'), message: text('message'), css: text('css') };
  }
};

/** Derives the outcome of a run from its state. */
export const outcomeOf = (polled: StartedExecution | undefined): FormOutcome => {
  if (polled?.response !== undefined) return readAnswer(polled.response);
  if (polled?.ended === undefined) return { kind: 'working' };
  return { kind: polled.ended.state === ExecutionState.EXECUTION_STATE_SUCCESS ? 'done' : 'failed' };
};
