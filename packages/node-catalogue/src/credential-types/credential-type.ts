import type { JsonObject } from '@weft/service-kit/json';

/** Additions of a credential to an HTTP request, with `{field}` for a field of its data. */
export interface RequestRule {
  /** An entry whose field is empty is left out, unless the field is required. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Prepended to the path, unless the path begins with it. */
  readonly pathPrefix?: string;
  /** Fields of the user and the password of basic authentication. */
  readonly basic?: readonly [user: string, password: string];
  /** Address of the token endpoint, if the credential, which contains a token of OAuth 2, states none. */
  readonly oauth2?: { readonly tokenUrl: string };
  /** Headers that the request may override. */
  readonly fallbackHeaders?: Readonly<Record<string, string>>;
}

/** How a credential proves who calls. */
export type AppliedAs =
  | 'header'
  | 'query'
  | 'path'
  | 'basic'
  | 'digest'
  | 'oauth1'
  | 'oauth2'
  | 'custom'
  | 'clientCertificate'
  | 'connection'
  | 'key'
  | 'signature';

/** A field of a credential's data. */
export interface CredentialField {
  readonly name: string;
  readonly label: string;
  /** `json`: an object, or the text of one. */
  readonly type: 'string' | 'number' | 'boolean' | 'options' | 'json';
  readonly required: boolean;
  /** An update that leaves it out keeps it, and its value is masked in run data; of `json` what is secret within. */
  readonly secret: boolean;
  /** A user name, in place of which many services take a key: masked in run data unless it is an email. */
  readonly isLogin?: true;
  readonly default?: string | number | boolean;
  /** With `options`: all values. */
  readonly options?: readonly string[];
  readonly help?: string;
}

/** How a credential is tried out, without any effect on the service it is for. */
export type CredentialTest =
  /** Connects to the server and logs in. */
  | { readonly kind: 'login' }
  /** Lists the buckets of the account. */
  | { readonly kind: 'buckets' }
  /** Sends one request: a GET, or a POST with a body. */
  | {
      readonly kind: 'request';
      /** With `{field}` for a field of the data, which must not be empty. */
      readonly url: string;
      readonly body?: JsonObject;
      /** Field of a JSON answer that is true if the service accepts the credential, whatever its status. */
      readonly okField?: string;
    }
  /** Sends a GET to an address that whoever tests names. */
  | { readonly kind: 'address' };

/** What a credential of a type holds, and what becomes of it. */
export interface CredentialType {
  readonly name: string;
  readonly label: string;
  readonly fields: readonly CredentialField[];
  readonly applied: AppliedAs;
  /** With services that HTTP requests know by the type of their credential. */
  readonly request?: RequestRule;
  /** Absent: nothing can be tried out. */
  readonly test?: CredentialTest;
  /** Where the service lives; empty for any host. `allowedDomains` of a credential is what limits it. */
  readonly hosts: readonly string[];
}

type More = Partial<Omit<CredentialField, 'name' | 'label'>>;

/** A text. */
export const text = (name: string, label: string, more: More = {}): CredentialField => ({
  name,
  label,
  type: 'string',
  required: false,
  secret: false,
  ...more,
});

/** A text that must be there. */
export const required = (name: string, label: string, more: More = {}): CredentialField =>
  text(name, label, { required: true, ...more });

/** A secret text. */
export const secret = (name: string, label: string, more: More = {}): CredentialField =>
  text(name, label, { secret: true, ...more });

/** One of several values. */
export const choice = (name: string, label: string, options: readonly [string, ...string[]]): CredentialField =>
  text(name, label, { type: 'options', options, default: options[0] });

/** Limits the hosts to which a credential is sent. */
export const HOST_LIMIT: readonly CredentialField[] = [
  choice('allowedHttpRequestDomains', 'Allowed hosts of HTTP requests', ['all', 'domains', 'none']),
  text('allowedDomains', 'Allowed hosts', { help: 'Separated by commas, with allowedHttpRequestDomains domains.' }),
];
