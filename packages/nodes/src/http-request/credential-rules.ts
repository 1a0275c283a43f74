/**
 * Additions of a credential to a request, with `{field}` for a field of the credential's data. An entry whose field is
 * empty is left out, unless the field is required.
 */
export interface CredentialRule {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Prepended to the path, unless the path begins with it. */
  readonly pathPrefix?: string;
  /** Fields of the user and the password of basic authentication. */
  readonly basic?: readonly [user: string, password: string];
  /**
   * The credential contains a token of OAuth 2. The address is that of the token endpoint, if the credential states
   * none.
   */
  readonly oauth2?: { readonly tokenUrl: string };
  /** Headers that the request may override. */
  readonly fallbackHeaders?: Readonly<Record<string, string>>;
  /** Fields that the credential requires. */
  readonly required: readonly string[];
}

const bearer = (fieldName: string): CredentialRule => ({
  headers: { Authorization: `Bearer {${fieldName}}` },
  required: [fieldName],
});

const header = (name: string, fieldName: string): CredentialRule => ({
  headers: { [name]: `{${fieldName}}` },
  required: [fieldName],
});
const query = (...entries: readonly (readonly [name: string, fieldName: string])[]): CredentialRule => ({
  query: Object.fromEntries(entries.map(([name, fieldName]) => [name, `{${fieldName}}`])),
  required: entries.map(([, fieldName]) => fieldName),
});
const basic = (user: string, password: string): CredentialRule => ({
  basic: [user, password],
  required: [user, password],
});
const GOOGLE: CredentialRule = { oauth2: { tokenUrl: 'https://oauth2.googleapis.com/token' }, required: [] };

/** Credential types that are sent as a header, a query value, a part of the path, or a token in the credential. */
export const CREDENTIAL_RULES: Readonly<Record<string, CredentialRule>> = {
  httpBearerAuth: bearer('token'),
  airtableTokenApi: bearer('accessToken'),
  anthropicApi: { ...header('x-api-key', 'apiKey'), fallbackHeaders: { 'anthropic-version': '2023-06-01' } },
  apifyApi: bearer('apiKey'),
  asanaApi: bearer('accessToken'),
  clickUpApi: header('Authorization', 'accessToken'),
  cloudflareApi: bearer('apiToken'),
  cohereApi: bearer('apiKey'),
  deepSeekApi: bearer('apiKey'),
  discordBotApi: { headers: { Authorization: 'Bot {botToken}' }, required: ['botToken'] },
  elevenLabsApi: header('xi-api-key', 'apiKey'),
  githubApi: { headers: { Authorization: 'token {accessToken}' }, required: ['accessToken'] },
  gitlabApi: header('Private-Token', 'accessToken'),
  gmailOAuth2: GOOGLE,
  googleCalendarOAuth2Api: GOOGLE,
  googleDriveOAuth2Api: GOOGLE,
  googleOAuth2Api: GOOGLE,
  googlePalmApi: query(['key', 'apiKey']),
  googleSheetsOAuth2Api: GOOGLE,
  groqApi: bearer('apiKey'),
  hubspotAppToken: bearer('appToken'),
  huggingFaceApi: bearer('apiKey'),
  jiraSoftwareCloudApi: basic('email', 'apiToken'),
  linearApi: header('Authorization', 'apiKey'),
  mistralCloudApi: bearer('apiKey'),
  mondayComApi: bearer('apiToken'),
  n8nApi: header('X-N8N-API-KEY', 'apiKey'),
  notionApi: { ...bearer('apiKey'), fallbackHeaders: { 'Notion-Version': '2022-06-28' } },
  openAiApi: {
    headers: { Authorization: 'Bearer {apiKey}', 'OpenAI-Organization': '{organizationId}' },
    required: ['apiKey'],
  },
  openRouterApi: bearer('apiKey'),
  pineconeApi: header('Api-Key', 'apiKey'),
  pipedriveApi: query(['api_token', 'apiToken']),
  qdrantApi: header('api-key', 'apiKey'),
  sendGridApi: bearer('apiKey'),
  serpApi: query(['api_key', 'apiKey']),
  slackApi: bearer('accessToken'),
  stripeApi: bearer('secretKey'),
  supabaseApi: {
    headers: { apikey: '{serviceRole}', Authorization: 'Bearer {serviceRole}' },
    required: ['serviceRole'],
  },
  telegramApi: { pathPrefix: '/bot{accessToken}', required: ['accessToken'] },
  todoistApi: bearer('apiKey'),
  trelloApi: query(['key', 'apiKey'], ['token', 'apiToken']),
  wordpressApi: basic('username', 'password'),
  xAiApi: bearer('apiKey'),
};
