/** What a credential type declares about its fields. All others are settings; objects among them are looked into. */
export interface SecretFields {
  /** Fields that are secret whatever they hold. */
  readonly secret: readonly string[];
  /** Fields for a user name, in place of which many services take a key: secret unless they hold an email. */
  readonly login?: readonly string[];
}

/** Types whose only secret is one field, by the name of the field. */
const SINGLE: Readonly<Record<string, readonly string[]>> = {
  accessToken: ['airtableTokenApi', 'asanaApi', 'clickUpApi', 'githubApi', 'gitlabApi', 'slackApi', 'telegramApi'],
  apiKey: [
    'anthropicApi',
    'apifyApi',
    'cohereApi',
    'deepSeekApi',
    'elevenLabsApi',
    'googlePalmApi',
    'groqApi',
    'huggingFaceApi',
    'linearApi',
    'mistralCloudApi',
    'n8nApi',
    'notionApi',
    'openAiApi',
    'openRouterApi',
    'pineconeApi',
    'qdrantApi',
    'sendGridApi',
    'serpApi',
    'todoistApi',
    'xAiApi',
  ],
  apiToken: ['cloudflareApi', 'mondayComApi', 'pipedriveApi', 'jiraSoftwareCloudApi'],
  appToken: ['hubspotAppToken'],
  botToken: ['discordBotApi'],
  clientSecret: [
    'gmailOAuth2',
    'googleCalendarOAuth2Api',
    'googleDriveOAuth2Api',
    'googleOAuth2Api',
    'googleSheetsOAuth2Api',
    'oAuth2Api',
  ],
  consumerSecret: ['oAuth1Api'],
  password: ['ftp', 'imap', 'redis', 'smtp', 'sshPassword', 'wordpressApi'],
  secret: ['totpApi', 'webhookSignature'],
  secretKey: ['stripeApi'],
  serviceRole: ['supabaseApi'],
  token: ['httpBearerAuth'],
  value: ['httpHeaderAuth', 'httpQueryAuth'],
};

/** Declarations by credential type. The fields of other types are told apart by their names and values. */
export const SECRET_FIELDS: ReadonlyMap<string, SecretFields> = new Map<string, SecretFields>([
  ...Object.entries(SINGLE).flatMap(([field, types]) =>
    types.map((type): [string, SecretFields] => [type, { secret: [field] }]),
  ),
  ['httpBasicAuth', { secret: ['password'], login: ['user'] }],
  ['httpDigestAuth', { secret: ['password'], login: ['user'] }],
  ['jwtAuth', { secret: ['secret', 'privateKey'] }],
  ['crypto', { secret: ['hmacSecret', 'signPrivateKey'] }],
  ['mongoDb', { secret: ['connectionString', 'password', 'key', 'passphrase'] }],
  ['mySql', { secret: ['password', 'clientPrivateKey', 'sshPassword', 'privateKey', 'passphrase'] }],
  ['postgres', { secret: ['password', 'sshPassword', 'privateKey', 'passphrase'] }],
  ['sftp', { secret: ['password', 'privateKey', 'passphrase'] }],
  ['sshPrivateKey', { secret: ['privateKey', 'passphrase'] }],
  ['trelloApi', { secret: ['apiKey', 'apiToken'] }],
]);
