import type { JsonObject } from '@weft/service-kit/json-values';
import type { OAuth2Service } from './oauth2-service';

/** Request that exchanges a user name and a password for a token. */
export interface SessionRule {
  /** Sent as JSON, with `{field}` for a field of the credential's data, to this URL. */
  readonly url: string;
  readonly body: Readonly<Record<string, string>>;
  /** Field of the JSON response with the token. */
  readonly tokenField: string;
  /** Word before the token in the header `Authorization`. */
  readonly scheme: string;
}

/** Additions of a credential to an HTTP request, with `{field}` for a field of its data. */
export interface RequestRule {
  /** An entry whose field is empty is left out, unless the field is required. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Prepended to the path, unless the path begins with it. */
  readonly pathPrefix?: string;
  /** Field with a URL whose path is prepended to the path: the URL is the secret. */
  readonly pathOf?: string;
  /** Fields of the user and the password of basic authentication. */
  readonly basic?: readonly [user: string, password: string];
  /** Other fields for basic authentication if a field has this value. */
  readonly basicIf?: {
    readonly field: string;
    readonly value: string;
    readonly basic: readonly [user: string, password: string];
  };
  /** How the service issues tokens to OAuth 2 credentials. */
  readonly oauth2?: OAuth2Service;
  /** Token endpoint at which an account exchanges a JWT that it signs with its private key. */
  readonly serviceAccount?: { readonly tokenUrl: string };
  /** Sends a token for which the credential is exchanged, again if the service no longer accepts it. */
  readonly session?: SessionRule;
  /** Headers that the request may override. */
  readonly fallbackHeaders?: Readonly<Record<string, string>>;
}

/** Way in which a credential authenticates the caller. */
export type AppliedAs =
  | 'header'
  | 'query'
  | 'path'
  | 'basic'
  | 'digest'
  | 'oauth1'
  | 'oauth2'
  | 'serviceAccount'
  | 'session'
  | 'custom'
  | 'clientCertificate'
  | 'connection'
  | 'key'
  | 'signature';

/** A field of a credential's data. */
export interface CredentialField {
  readonly name: string;
  readonly label: string;
  /** `json`: an object, or its JSON text. */
  readonly type: 'string' | 'number' | 'boolean' | 'options' | 'json';
  readonly required: boolean;
  /** Updates that omit it leave it unchanged. Its value is masked in run data; in `json`, its secret members are. */
  readonly secret: boolean;
  /** A user name, which many services replace by a key: masked in run data unless it is an email address. */
  readonly isLogin?: true;
  readonly default?: string | number | boolean;
  /** With `options`: all values. */
  readonly options?: readonly string[];
  readonly help?: string;
}

/** Test of a credential, without any effect on the service it is for. */
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
      /** Field of a JSON response that is true if the service accepts the credential, whatever its status. */
      readonly okField?: string;
    }
  /** Sends a GET to an address that the tester provides. */
  | { readonly kind: 'address' };

/** Fields of a credential type and how the type is used. */
export interface CredentialType {
  readonly name: string;
  readonly label: string;
  readonly fields: readonly CredentialField[];
  readonly applied: AppliedAs;
  /** For services that HTTP Request selects by their credential type. */
  readonly request?: RequestRule;
  /** Absent: the credential cannot be tested. */
  readonly test?: CredentialTest;
  /** Hosts of the service; empty for any host. `allowedDomains` of a credential sets the limit. */
  readonly hosts: readonly string[];
  /** Field with the URL of the service, for services that people run themselves: apps send it to that host only. */
  readonly hostField?: string;
}

type More = Partial<Omit<CredentialField, 'name' | 'label'>>;

/** An optional string. */
export const text = (name: string, label: string, more: More = {}): CredentialField => ({
  name,
  label,
  type: 'string',
  required: false,
  secret: false,
  ...more,
});

/** A required string. */
export const required = (name: string, label: string, more: More = {}): CredentialField =>
  text(name, label, { required: true, ...more });

/** A secret string. */
export const secret = (name: string, label: string, more: More = {}): CredentialField =>
  text(name, label, { secret: true, ...more });

/** One of a set of strings. */
export const choice = (name: string, label: string, options: readonly [string, ...string[]]): CredentialField =>
  text(name, label, { type: 'options', options, default: options[0] });

/** Limits the hosts to which a credential is sent. */
export const HOST_LIMIT: readonly CredentialField[] = [
  choice('allowedHttpRequestDomains', 'Allowed hosts of HTTP requests', ['all', 'domains', 'none']),
  text('allowedDomains', 'Allowed hosts', { help: 'Separated by commas. They count if the choice above is domains.' }),
];

/** A service at the URL in a field of its credential. @param check path of a request that tests the credential */
export const hosted = (
  name: string,
  label: string,
  [hostField, check]: readonly [field: string, check: string],
  applied: AppliedAs,
  request: RequestRule,
  fields: readonly CredentialField[],
): CredentialType => ({
  name,
  label,
  fields: [...fields, ...HOST_LIMIT],
  applied,
  request,
  test: { kind: 'request', url: `{${hostField}}${check}` },
  hosts: [],
  hostField,
});
