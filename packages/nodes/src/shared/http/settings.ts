import type { Json, JsonObject } from '@weft/node-catalogue';
import type { ClientCertificate } from '@weft/outbound';

/** Names and values in the given order. Names may repeat. */
export type Fields = readonly (readonly [name: string, value: Json])[];

/** Style of an array in a query or a form: `a=1&a=2`, `a[]=1&a[]=2` or `a[0]=1&a[1]=2`. */
export type ListStyle = 'repeat' | 'brackets' | 'indices';

/** One part of a multipart body: a value, the file under a property of the item's binary data, or bytes. */
export type Part =
  | { readonly name: string; readonly value: Json }
  | {
      readonly name: string;
      readonly file: string;
      /** In place of the file's own name and media type. */
      readonly fileName?: string;
      readonly mimeType?: string;
    }
  | { readonly name: string; readonly bytes: Uint8Array; readonly fileName: string; readonly mimeType: string };

/** The request body. */
export type BodySettings =
  | {
      readonly kind: 'json';
      readonly value: Json;
      /** Mails that are put into the value, as Base64 (URL) of their text in MIME. */
      readonly mails?: readonly MailPart[];
      /** Files that are put into the value, as Base64. */
      readonly files?: readonly FilePart[];
    }
  | {
      readonly kind: 'form';
      readonly fields: Fields;
      /** Default: `indices`. */
      readonly listStyle?: ListStyle;
    }
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly contentType: string;
      /** Replaces a content type that is set as a header. */
      readonly isTypeFixed: boolean;
    }
  | { readonly kind: 'multipart'; readonly parts: readonly Part[] }
  | { readonly kind: 'file'; readonly property: string; readonly mimeType?: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly mimeType: string };

/** A mail within a JSON body. */
export interface MailPart {
  /** Names of the fields that lead to its place. */
  readonly path: readonly string[];
  /** Its fields; `attachments` has the properties of the item's binary data that hold its files. */
  readonly message: JsonObject;
}

/** A file within a JSON body. */
export interface FilePart {
  /** Names of the fields that lead to its place. */
  readonly path: readonly string[];
  /** Property of the item's binary data. */
  readonly property: string;
}

/** The credential type that a request uses, or undefined for none. */
export type CredentialType = string | undefined;

/** One request, read from the node's parameters for one item. It includes no credential. */
export interface RequestSettings {
  readonly method: string;
  /** Absolute, http or https. */
  readonly url: string;
  readonly query: Fields;
  readonly listStyle: ListStyle;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: BodySettings;
  /** Timeout of the whole exchange in milliseconds. */
  readonly timeoutMs: number;
  readonly followRedirects: boolean;
  readonly maxRedirects: number;
  readonly allowUnauthorizedCerts: boolean;
  readonly clientCertificate?: ClientCertificate;
  /** True: a request with side effects has an Idempotency-Key header. */
  readonly sendsIdempotencyKey?: boolean;
  /** Host patterns of an app, of which every hop must fit one. */
  readonly declaredHosts?: readonly string[];
}

/** Settings for turning a response into items. */
export interface ResponseSettings {
  readonly format: 'autodetect' | 'json' | 'text' | 'file';
  /** Output field for text, or property for a file. */
  readonly property: string;
  /** Include headers and status. */
  readonly isFull: boolean;
  /** Treat every status as a success. */
  readonly neverError: boolean;
  /** An array becomes one item with its entries by index. Default: false, an item for each entry. */
  readonly keepsLists?: boolean;
  /** Text that is JSON becomes its value. Default: false, objects and arrays stay text. */
  readonly parsesText?: boolean;
}

/** Spreads the requests of many items over time. */
export interface BatchSettings {
  /** Items per batch; undefined if all items are one batch. */
  readonly size: number | undefined;
  /** Milliseconds between two batches. */
  readonly intervalMs: number;
}

/** Additional roots in pagination expressions: `$response`, `$request`, `$pageCount`. */
export type PageRoots = Readonly<Record<string, Json>>;

/**
 * Reads one parameter by its path in version 4, with expressions resolved, as JSON. Undefined if it is not set.
 * Reading a hidden parameter may fail, so read only what is needed.
 */
export type Read = (path: string, roots?: PageRoots) => Json | undefined;

/** The parameters of a node for one item. */
export interface Parameters {
  readonly read: Read;
  /** True if the definition sets a value under a path, whatever an expression in it yields. */
  isSet(path: string): boolean;
}
