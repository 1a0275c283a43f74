import { ExecutionState, type HttpResponse, type StartedExecution } from '@weft/proto/executions';
import type { FormAnswerType, FormTold } from '@weft/proto/form-answer';
import { isJsonObject, listField, parseJson, textField } from '@weft/service-kit/json';

const FORM_ANSWER_TYPE: FormAnswerType = 'application/vnd.weft.form+json';

/** State of the run behind a form. */
export type FormOutcome =
  | FormTold
  /** A response by a Respond to Webhook node. */
  | { readonly kind: 'answer'; readonly answer: HttpResponse }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed' }
  /** The run was cancelled. */
  | { readonly kind: 'stopped' }
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
  const lastPage = { pageTitle: text('pageTitle'), title: text('title'), message: text('message'), css: text('css') };
  switch (text('kind')) {
    case 'page':
      return { kind: 'page', token: text('token') };
    case 'redirect':
      return { kind: 'redirect', url: text('url') };
    case 'file':
      return {
        kind: 'file',
        ...lastPage,
        files: listField(said, 'files').map((file) => ({
          fileId: textField(file, 'fileId') ?? '',
          fileName: textField(file, 'fileName') ?? '',
          mimeType: textField(file, 'mimeType') ?? '',
        })),
      };
    default:
      return { kind: 'end', ...lastPage };
  }
};

/** Derives the outcome of a run from its state. */
export const outcomeOf = (polled: StartedExecution | undefined): FormOutcome => {
  if (polled?.response !== undefined) return readAnswer(polled.response);
  if (polled?.ended === undefined) return { kind: 'working' };
  if (polled.ended.state === ExecutionState.EXECUTION_STATE_CANCELLED) return { kind: 'stopped' };
  return { kind: polled.ended.state === ExecutionState.EXECUTION_STATE_SUCCESS ? 'done' : 'failed' };
};
