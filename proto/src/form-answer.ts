/** Content type of messages from a run to the gateway about its form, which the gateway renders as a page. */
export type FormAnswerType = 'application/vnd.weft.form+json';

/** A file of the run that the final page of its form offers for download. */
export type OfferedFile = {
  readonly fileId: string;
  readonly fileName: string;
  readonly mimeType: string;
};

/** Labels and styles of the final page. */
export type LastPage = {
  /** Title of the browser window; empty: the heading. */
  readonly pageTitle: string;
  readonly title: string;
  readonly message: string;
  readonly css: string;
};

/** Messages from a run to the page of its form, as JSON: written by runners, read by gateways. */
export type FormTold =
  /** The run waits with a further page, at the address of this token. */
  | { readonly kind: 'page'; readonly token: string }
  | ({ readonly kind: 'end' } & LastPage)
  | { readonly kind: 'redirect'; readonly url: string }
  | ({ readonly kind: 'file'; readonly files: readonly OfferedFile[] } & LastPage);
