/** Content type of messages from a run to the gateway about its form, which renders a page from them. */
export type FormAnswerType = 'application/vnd.weft.form+json';

/** A file of the run that the last page of its form offers. */
export type OfferedFile = {
  readonly fileId: string;
  readonly fileName: string;
  readonly mimeType: string;
};

/** Texts and styles of the last page. */
export type LastPage = {
  /** Title of the browser's window; empty: the heading. */
  readonly pageTitle: string;
  readonly title: string;
  readonly message: string;
  readonly css: string;
};

/** Messages from a run to the page of its form, as JSON: runners write them, gateways read them. */
export type FormTold =
  /** It waits with a further page, at the address of this token. */
  | { readonly kind: 'page'; readonly token: string }
  | ({ readonly kind: 'end' } & LastPage)
  | { readonly kind: 'redirect'; readonly url: string }
  | ({ readonly kind: 'file'; readonly files: readonly OfferedFile[] } & LastPage);
