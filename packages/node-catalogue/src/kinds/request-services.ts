import type { OptionDescriptor } from '../descriptor';

const service = (value: string, label: string): OptionDescriptor => ({ value, label });

/** Services whose credentials an HTTP request knows how to send, by the type of the credential. */
export const REQUEST_SERVICES: readonly OptionDescriptor[] = [
  service('airtableTokenApi', 'Airtable'), service('anthropicApi', 'Anthropic'), service('apifyApi', 'Apify'), service('asanaApi', 'Asana'),
  service('clickUpApi', 'ClickUp'), service('cloudflareApi', 'Cloudflare'), service('cohereApi', 'Cohere'), service('deepSeekApi', 'DeepSeek'),
  service('discordBotApi', 'Discord'), service('elevenLabsApi', 'ElevenLabs'), service('githubApi', 'GitHub'), service('gitlabApi', 'GitLab'),
  service('gmailOAuth2', 'Gmail, by OAuth 2'), service('googleCalendarOAuth2Api', 'Google Calendar, by OAuth 2'), service('googleDriveOAuth2Api', 'Google Drive, by OAuth 2'),
  service('googleOAuth2Api', 'Google, by OAuth 2'), service('googlePalmApi', 'Google Gemini'), service('googleSheetsOAuth2Api', 'Google Sheets, by OAuth 2'), service('groqApi', 'Groq'),
  service('hubspotAppToken', 'HubSpot'), service('huggingFaceApi', 'Hugging Face'), service('jiraSoftwareCloudApi', 'Jira Cloud'), service('linearApi', 'Linear'),
  service('mistralCloudApi', 'Mistral'), service('mondayComApi', 'monday.com'), service('n8nApi', 'n8n'), service('notionApi', 'Notion'), service('openAiApi', 'OpenAI'),
  service('openRouterApi', 'OpenRouter'), service('pineconeApi', 'Pinecone'), service('pipedriveApi', 'Pipedrive'), service('qdrantApi', 'Qdrant'), service('sendGridApi', 'SendGrid'),
  service('serpApi', 'SerpApi'), service('slackApi', 'Slack'), service('stripeApi', 'Stripe'), service('supabaseApi', 'Supabase'), service('telegramApi', 'Telegram'),
  service('todoistApi', 'Todoist'), service('trelloApi', 'Trello'), service('wordpressApi', 'WordPress'), service('xAiApi', 'xAI'), service('httpBearerAuth', 'Any, by a bearer token'),
];
