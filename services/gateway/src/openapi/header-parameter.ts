/** Description of a request header in the OpenAPI document. */
export interface HeaderParameter {
  readonly name: string;
  readonly description: string;
  /** A regular expression for accepted values; absent: any. */
  readonly pattern?: string;
}
