/** What the document of the API says of a header that a request may have. */
export interface HeaderParameter {
  readonly name: string;
  readonly description: string;
  /** A regular expression of the values that are accepted; any if absent. */
  readonly pattern?: string;
}
