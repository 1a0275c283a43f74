/**
 * What a credential adds to a request, with `{field}` for a field of the credential's data. An entry whose field is empty
 * is left out, unless the field is required.
 */
export interface CredentialRule {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Put before the path, unless the path begins with it. */
  readonly pathPrefix?: string;
  /** Headers that the request may replace with its own. */
  readonly fallbackHeaders?: Readonly<Record<string, string>>;
  /** Fields without which the credential is of no use. */
  readonly required: readonly string[];
}

const bearer = (fieldName: string): CredentialRule => ({ headers: { Authorization: `Bearer {${fieldName}}` }, required: [fieldName] });

/** Credential types whose use is a header, a query value or a piece of the path. */
export const CREDENTIAL_RULES: Readonly<Record<string, CredentialRule>> = {
  httpBearerAuth: bearer('token'),
  githubApi: { headers: { Authorization: 'token {accessToken}' }, required: ['accessToken'] },
  slackApi: bearer('accessToken'),
  notionApi: { ...bearer('apiKey'), fallbackHeaders: { 'Notion-Version': '2022-06-28' } },
  airtableTokenApi: bearer('accessToken'),
  openAiApi: { headers: { Authorization: 'Bearer {apiKey}', 'OpenAI-Organization': '{organizationId}' }, required: ['apiKey'] },
  telegramApi: { pathPrefix: '/bot{accessToken}', required: ['accessToken'] },
};

/** Why other credential types are refused, where there is more to say than that they are not known. */
export const REFUSED_CREDENTIALS: Readonly<Record<string, string>> = {
  httpDigestAuth: 'Digest authentication is not supported. Use a header, basic, bearer, query or custom credential.',
  oAuth1Api: 'OAuth 1 is not supported. Use a header, basic, bearer, query or custom credential.',
  oAuth2Api: 'OAuth 2 is not supported. Use a bearer credential with a token you have fetched.',
};
