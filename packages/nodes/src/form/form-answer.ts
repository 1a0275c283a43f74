import type { JsonObject } from '@weft/node-catalogue';
import type { HttpResponse } from '@weft/engine';

/** Content type of what a run tells the gateway about its form; the gateway makes a page of it. */
const FORM_ANSWER_TYPE = 'application/vnd.weft.form+json';

/**
 * Messages from a run to the form's page: that it waits with a page, how the form ends, where the browser is to go,
 * which file there is.
 */
export type FormTold =
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
    };

/** The answer that tells it. */
export function formAnswer(told: FormTold): HttpResponse {
  const body: JsonObject = { ...told };
  return { status: 200, headers: { 'content-type': FORM_ANSWER_TYPE }, body: JSON.stringify(body) };
}
