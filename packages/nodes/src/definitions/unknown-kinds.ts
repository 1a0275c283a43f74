import { kindOf } from '@weft/node-catalogue/definitions';
import { nearName } from './near-name';

/** Kinds of n8n that are unsupported by decision, with the alternative. */
const REFUSED_KINDS: ReadonlyMap<string, string> = new Map([
  [
    'executeCommand',
    'No node runs commands on the host of the service: run them on another machine with an "ssh" node, or write ' +
      'JavaScript in a "code" node.',
  ],
  [
    'localFileTrigger',
    'No node touches the disk of the host: read and write files of the workflow with "readWriteFile".',
  ],
]);

/** Credential types for HTTP requests to the API of an app, by the app's kind without `Trigger` or `Tool`. */
const CREDENTIALS_OF_APPS: ReadonlyMap<string, string> = new Map([
  ['airtable', 'airtableTokenApi'],
  ['anthropic', 'anthropicApi'],
  ['asana', 'asanaApi'],
  ['clickUp', 'clickUpApi'],
  ['discord', 'discordBotApi'],
  ['github', 'githubApi'],
  ['gitlab', 'gitlabApi'],
  ['gmail', 'gmailOAuth2'],
  ['googleCalendar', 'googleCalendarOAuth2Api'],
  ['googleDocs', 'googleOAuth2Api'],
  ['googleDrive', 'googleDriveOAuth2Api'],
  ['googleSheets', 'googleSheetsOAuth2Api'],
  ['hubspot', 'hubspotAppToken'],
  ['jira', 'jiraSoftwareCloudApi'],
  ['linear', 'linearApi'],
  ['mondayCom', 'mondayComApi'],
  ['notion', 'notionApi'],
  ['openAi', 'openAiApi'],
  ['pipedrive', 'pipedriveApi'],
  ['sendGrid', 'sendGridApi'],
  ['slack', 'slackApi'],
  ['stripe', 'stripeApi'],
  ['supabase', 'supabaseApi'],
  ['telegram', 'telegramApi'],
  ['todoist', 'todoistApi'],
  ['wordpress', 'wordpressApi'],
]);

/** The same for models, by a part of the kind's name in lower case. */
const CREDENTIALS_OF_MODELS: readonly (readonly [part: string, type: string])[] = [
  ['openrouter', 'openRouterApi'],
  ['openai', 'openAiApi'],
  ['anthropic', 'anthropicApi'],
  ['gemini', 'googlePalmApi'],
  ['mistral', 'mistralCloudApi'],
  ['deepseek', 'deepSeekApi'],
  ['cohere', 'cohereApi'],
  ['groq', 'groqApi'],
  ['huggingface', 'huggingFaceApi'],
  ['xai', 'xAiApi'],
  ['pinecone', 'pineconeApi'],
  ['qdrant', 'qdrantApi'],
  ['supabase', 'supabaseApi'],
  ['serpapi', 'serpApi'],
];

const NO_MODELS = 'Weft has no node that does the same.';

const NO_TOOL =
  'Models can call only kinds with `usableAsTool`, and other workflows with a ' +
  '"@n8n/n8n-nodes-langchain.toolWorkflow" node.';

/** Ends of the names of kinds of the same app. */
const ROLES = ['Trigger', 'Tool'] as const;

/** Longest name in characters that is looked up. */
const MAX_NAME = 200;

const CATALOGUE = 'The known kinds are listed at GET /api/v1/node-types.';

const model = (name: string): string => {
  const lower = name.toLowerCase();
  const [, credential] = CREDENTIALS_OF_MODELS.find(([part]) => lower.includes(part)) ?? [];
  if (lower.endsWith('trigger')) return `${NO_MODELS} Start the workflow with a "webhook" or "formTrigger" node.`;
  return credential === undefined
    ? `${NO_MODELS} The API of a model can be called with an "httpRequest" node.`
    : `${NO_MODELS} Call the API with an "httpRequest" node and a credential of type ${credential}.`;
};

const app = (name: string): string | undefined => {
  const role = ROLES.find((one) => name.endsWith(one));
  const credential = CREDENTIALS_OF_APPS.get(role === undefined ? name : name.slice(0, -role.length));
  if (credential === undefined) return role === 'Tool' ? NO_TOOL : undefined;
  const request = `an "httpRequest" node and a credential of type ${credential}.`;
  if (role === 'Trigger')
    return `Let the app call a "webhook" node, or ask it with a "scheduleTrigger" node, ${request}`;
  return `${role === 'Tool' ? `${NO_TOOL} ` : ''}Call the API of the app with ${request}`;
};

/**
 * Names the replacement of an unknown node type: the kind that was meant, or a request to the API of the app. Never
 * names a kind that only has a similar name.
 * @param kinds all known kinds
 */
export function insteadOf(given: string, kinds: Iterable<string>): string {
  const type = given.slice(0, MAX_NAME);
  const name = kindOf(type) ?? type.split('.').at(-1) ?? type;
  const refusal = REFUSED_KINDS.get(name);
  if (refusal !== undefined) return refusal;
  if (type.toLowerCase().includes('langchain.')) return model(name);
  if (kindOf(type) === undefined && type.includes('.') && !type.includes('nodes-base.'))
    return (
      `Packages such as ${JSON.stringify(type.slice(0, 100).split('.')[0])} cannot be installed. An owner or admin ` +
      'can add an app that provides this type: see docs/guides/add-an-app.md.'
    );
  const replacement = app(name);
  if (replacement !== undefined) return replacement;
  const meant = nearName(name, [...kinds]);
  return meant === undefined ? CATALOGUE : `Did you mean ${JSON.stringify(meant)}?`;
}

/** True for a kind that is unsupported by decision. */
export function isRefused(type: string): boolean {
  return REFUSED_KINDS.has(kindOf(type) ?? '');
}
