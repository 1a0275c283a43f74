import type { JsonObject } from '@weft/node-catalogue';
import type { HttpResponse } from '@weft/engine';
import type { FormAnswerType, FormTold } from '@weft/proto/form-answer';

const FORM_ANSWER_TYPE: FormAnswerType = 'application/vnd.weft.form+json';

/** The response that updates the page of a form with the state of its run. */
export function formAnswer(told: FormTold): HttpResponse {
  const body: JsonObject = told.kind === 'file' ? { ...told, files: [...told.files] } : { ...told };
  return { status: 200, headers: { 'content-type': FORM_ANSWER_TYPE }, body: JSON.stringify(body) };
}
