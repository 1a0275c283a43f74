import type { JsonObject } from '@weft/node-catalogue';
import type { HttpResponse } from '@weft/engine';

/** Content type of messages from a run to the gateway about its form; the gateway renders a page from them. */
const FORM_ANSWER_TYPE = 'application/vnd.weft.form+json';

/**
 * Messages from a run to the form's page: that it waits with a page, how the form ends, where the browser is
 * redirected, which files it offers.
 */
export type FormTold =
  | { readonly kind: 'page'; readonly token: string }
  | ({ readonly kind: 'end' } & LastPage)
  | { readonly kind: 'redirect'; readonly url: string }
  | ({ readonly kind: 'file'; readonly files: readonly OfferedFile[] } & LastPage);

/** Texts and styles of the last page. */
export interface LastPage {
  /** Title of the browser's window; empty: the heading. */
  readonly pageTitle: string;
  readonly title: string;
  readonly message: string;
  readonly css: string;
}

/** A file of the run that the last page of its form offers. */
export interface OfferedFile {
  readonly [key: string]: string;
  readonly fileId: string;
  readonly fileName: string;
  readonly mimeType: string;
}

/** The response with such a message. */
export function formAnswer(told: FormTold): HttpResponse {
  const body: JsonObject = told.kind === 'file' ? { ...told, files: [...told.files] } : { ...told };
  return { status: 200, headers: { 'content-type': FORM_ANSWER_TYPE }, body: JSON.stringify(body) };
}
