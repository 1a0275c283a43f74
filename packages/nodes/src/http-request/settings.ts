import type { Json } from '@weft/node-catalogue';
import type { ClientCertificate } from '@weft/outbound';

/** Names and values in the given order. Names may repeat. */
export type Fields = readonly (readonly [name: string, value: Json])[];

/** Style of a list in a query or a form: `a=1&a=2`, `a[]=1&a[]=2` or `a[0]=1&a[1]=2`. */
export type ListStyle = 'repeat' | 'brackets' | 'indices';

/** One part of a multipart body: a value, or the file under a property of the item's binary data. */
export type Part = { readonly name: string; readonly value: Json } | { readonly name: string; readonly file: string };

/** The request body. */
export type BodySettings =
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'form'; readonly fields: Fields }
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly contentType: string;
      /** The type replaces one that is stated as a header. */
      readonly isTypeFixed: boolean;
    }
  | { readonly kind: 'multipart'; readonly parts: readonly Part[] }
  | { readonly kind: 'file'; readonly property: string };

/** The credential type that a request uses, or undefined for none. */
export type CredentialType = string | undefined;

/** One request, as the parameters of the node state it for one item. It includes no credential. */
export interface RequestSettings {
  readonly method: string;
  /** Absolute, http or https. */
  readonly url: string;
  readonly query: Fields;
  readonly listStyle: ListStyle;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: BodySettings;
  /** Milliseconds for the whole exchange. */
  readonly timeoutMs: number;
  readonly followRedirects: boolean;
  readonly maxRedirects: number;
  readonly allowUnauthorizedCerts: boolean;
  readonly clientCertificate?: ClientCertificate;
  /** True: a request with side effects carries an Idempotency-Key. */
  readonly sendsIdempotencyKey?: boolean;
}

/** Settings for turning a response into items. */
export interface ResponseSettings {
  readonly format: 'autodetect' | 'json' | 'text' | 'file';
  /** Field for text, and property for a file. */
  readonly property: string;
  /** Include headers and status. */
  readonly isFull: boolean;
  /** Treat every status as a success. */
  readonly neverError: boolean;
  /** A list becomes one item that has its entries by their positions. False if absent: an item for each entry. */
  readonly keepsLists?: boolean;
  /** A text that is JSON becomes its value. False if absent: objects and lists stay text. */
  readonly parsesText?: boolean;
}

/** Settings for spreading requests of many items over time. */
export interface BatchSettings {
  /** Items per batch; undefined if all items are one batch. */
  readonly size: number | undefined;
  /** Milliseconds between two batches. */
  readonly intervalMs: number;
}

/** Further roots available to expressions of pagination: `$response`, `$request`, `$pageCount`. */
export type PageRoots = Readonly<Record<string, Json>>;

/**
 * Reads one parameter by its path in version 4, expressions resolved, in JSON form. Undefined if it is not stated.
 * Reading a parameter that is not shown may fail, so only what is needed is read.
 */
export type Read = (path: string, roots?: PageRoots) => Json | undefined;

/** The parameters of a node for one item. */
export interface Parameters {
  readonly read: Read;
  /** True if the definition states a value under a path, whatever an expression in it yields. */
  isStated(path: string): boolean;
}
