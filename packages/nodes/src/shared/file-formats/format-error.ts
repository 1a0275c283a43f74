/** Foreign data cannot be read or written; the message is for the user. */
export class FormatError extends Error {
  constructor(message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.name = 'FormatError';
  }
}
