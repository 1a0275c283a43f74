import { HOST_LIMIT, required, secret, text, type CredentialField, type CredentialType } from './credential-type';
import type { OAuth2Service } from './oauth2-service';

const oauth2 = (
  name: string,
  label: string,
  host: string | readonly string[],
  service: OAuth2Service,
  more: readonly CredentialField[] = [],
): CredentialType => ({
  name,
  label,
  fields: [
    ...more,
    text('clientId', 'Client ID'),
    secret('clientSecret', 'Client secret'),
    text('scope', 'Scopes', service.scope === undefined ? {} : { help: `Empty: ${service.scope}` }),
    text('oauthTokenData', 'Token', {
      type: 'json',
      secret: true,
      help: '{ access_token, refresh_token } of a login in another system. Leave it empty to sign in here.',
    }),
    ...HOST_LIMIT,
  ],
  applied: 'oauth2',
  request: { oauth2: service },
  test: { kind: 'address' },
  hosts: typeof host === 'string' ? [host] : host,
});

/** @param scopes names below https://www.googleapis.com/auth/, or whole addresses */
const google = (name: string, label: string, ...scopes: readonly string[]): CredentialType =>
  oauth2(name, label, '*.googleapis.com', {
    authUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    // Without both, Google issues a refresh token for the first sign-in only, or none.
    query: { access_type: 'offline', prompt: 'consent' },
    clientIn: 'body',
    ...(scopes.length === 0
      ? {}
      : { scope: scopes.map((one) => (one.includes('/') ? one : `https://www.googleapis.com/auth/${one}`)).join(' ') }),
  });

const SLACK_SCOPES = [
  ...['channels', 'files', 'reactions', 'stars', 'usergroups', 'users.profile'].flatMap((one) => [
    `${one}:read`,
    `${one}:write`,
  ]),
  ...['chat:write', 'groups:read', 'im:read', 'mpim:read', 'users:read', 'search:read'],
];

const HUBSPOT_SCOPES = [
  ...['contacts', 'companies', 'deals'].flatMap((one) => [`crm.objects.${one}.read`, `crm.objects.${one}.write`]),
  ...['contacts', 'companies', 'deals'].map((one) => `crm.schemas.${one}.read`),
  ...['crm.objects.owners.read', 'crm.lists.write', 'forms', 'tickets'],
];

const FACEBOOK_HOSTS = ['graph.facebook.com', 'graph-video.facebook.com'];
const FACEBOOK_SCOPES = [
  ...['public_profile', 'email', 'business_management', 'pages_show_list'],
  ...['pages_read_engagement', 'pages_read_user_content', 'pages_manage_metadata', 'pages_manage_posts'],
];

/** LinkedIn refuses the verifier of PKCE at its address for tokens. Files are uploaded to another host of LinkedIn. */
const linkedIn = (name: string, label: string, scope: string, more: readonly CredentialField[] = []): CredentialType =>
  oauth2(
    name,
    label,
    ['api.linkedin.com', 'www.linkedin.com'],
    {
      authUrl: 'https://www.linkedin.com/oauth/v2/authorization',
      tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
      scope,
      pkce: false,
      clientIn: 'body',
    },
    more,
  );

const X_SCOPES = [
  ...['tweet.read', 'tweet.write', 'tweet.moderate.write', 'users.read', 'follows.read', 'follows.write'],
  ...['offline.access', 'like.read', 'like.write', 'dm.read', 'dm.write', 'list.read', 'list.write'],
];

/** Types of services at which a user signs in through the browser. Names of types and fields are n8n's. */
export const OAUTH2_TYPES: readonly CredentialType[] = [
  oauth2('airtableOAuth2Api', 'Airtable OAuth2', 'api.airtable.com', {
    authUrl: 'https://airtable.com/oauth2/v1/authorize',
    tokenUrl: 'https://airtable.com/oauth2/v1/token',
    scope: 'schema.bases:read data.records:read data.records:write',
  }),
  // The service has no scopes and no refresh tokens: its tokens do not expire.
  oauth2('clickUpOAuth2Api', 'ClickUp OAuth2', 'api.clickup.com', {
    authUrl: 'https://app.clickup.com/api',
    tokenUrl: 'https://api.clickup.com/api/v2/oauth/token',
    clientIn: 'body',
  }),
  oauth2('githubOAuth2Api', 'GitHub OAuth2', 'api.github.com', {
    authUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    scope: 'repo workflow admin:repo_hook admin:org user',
  }),
  google('gmailOAuth2', 'Gmail OAuth2', 'https://mail.google.com/'),
  google('googleAnalyticsOAuth2', 'Google Analytics OAuth2', 'analytics.readonly'),
  google('googleCalendarOAuth2Api', 'Google Calendar OAuth2', 'calendar'),
  google('googleContactsOAuth2Api', 'Google Contacts OAuth2', 'contacts'),
  google('googleDocsOAuth2Api', 'Google Docs OAuth2', 'documents', 'drive.file', 'drive.metadata.readonly'),
  google('googleDriveOAuth2Api', 'Google Drive OAuth2', 'drive'),
  google('googleOAuth2Api', 'Google OAuth2'),
  google('googleSheetsOAuth2Api', 'Google Sheets OAuth2', 'spreadsheets', 'drive.file', 'drive.metadata.readonly'),
  google(
    'googleSheetsTriggerOAuth2Api',
    'Google Sheets trigger OAuth2',
    'drive.readonly',
    'spreadsheets.readonly',
    'drive.metadata.readonly',
  ),
  google('googleSlidesOAuth2Api', 'Google Slides OAuth2', 'presentations', 'drive.file'),
  google('googleTasksOAuth2Api', 'Google Tasks OAuth2', 'tasks'),
  google('youTubeOAuth2Api', 'YouTube OAuth2', 'youtube', 'youtube.upload', 'youtube.force-ssl'),
  oauth2('hubspotOAuth2Api', 'HubSpot OAuth2', 'api.hubapi.com', {
    authUrl: 'https://app.hubspot.com/oauth/authorize',
    // Version 1 ends in February 2027.
    tokenUrl: 'https://api.hubapi.com/oauth/v3/token',
    scope: HUBSPOT_SCOPES.join(' '),
    clientIn: 'body',
  }),
  oauth2('facebookGraphApiOAuth2Api', 'Facebook Graph OAuth2', FACEBOOK_HOSTS, {
    authUrl: 'https://www.facebook.com/v25.0/dialog/oauth',
    tokenUrl: 'https://graph.facebook.com/v25.0/oauth/access_token',
    scope: FACEBOOK_SCOPES.join(' '),
    pkce: false,
  }),
  linkedIn('linkedInOAuth2Api', 'LinkedIn OAuth2', 'w_member_social w_organization_social profile email openid', [
    text('legacy', 'Older permissions', {
      type: 'boolean',
      default: false,
      help: 'The LinkedIn app has r_liteprofile and r_emailaddress, in place of profile, email and openid.',
    }),
  ]),
  linkedIn(
    'linkedInCommunityManagementOAuth2Api',
    'LinkedIn community management OAuth2',
    'w_member_social w_organization_social r_basicprofile',
  ),
  oauth2('linearOAuth2Api', 'Linear OAuth2', 'api.linear.app', {
    authUrl: 'https://linear.app/oauth/authorize',
    tokenUrl: 'https://api.linear.app/oauth/token',
    scope: 'read,write',
    scopeSeparator: ',',
    clientIn: 'body',
  }),
  oauth2('microsoftOutlookOAuth2Api', 'Microsoft Outlook OAuth2', 'graph.microsoft.com', {
    authUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scope: 'offline_access Mail.ReadWrite Mail.Send Calendars.ReadWrite Contacts.ReadWrite MailboxSettings.Read',
    clientIn: 'body',
  }),
  oauth2('notionOAuth2Api', 'Notion OAuth2', 'api.notion.com', {
    authUrl: 'https://api.notion.com/v1/oauth/authorize',
    tokenUrl: 'https://api.notion.com/v1/oauth/token',
    query: { owner: 'user' },
  }),
  oauth2('redditOAuth2Api', 'Reddit OAuth2', 'oauth.reddit.com', {
    authUrl: 'https://www.reddit.com/api/v1/authorize',
    tokenUrl: 'https://www.reddit.com/api/v1/access_token',
    scope: 'identity edit history mysubreddits read save submit',
    // Otherwise the token ends after a day, without a refresh token.
    query: { duration: 'permanent' },
  }),
  // The token of the user who signs in, not of a bot.
  oauth2('slackOAuth2Api', 'Slack OAuth2', 'slack.com', {
    authUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    scope: SLACK_SCOPES.join(','),
    scopeSeparator: ',',
    scopeParameter: 'user_scope',
    pkce: false,
    clientIn: 'body',
    tokensAt: 'authed_user',
  }),
  oauth2('spotifyOAuth2Api', 'Spotify OAuth2', 'api.spotify.com', {
    authUrl: 'https://accounts.spotify.com/authorize',
    tokenUrl: 'https://accounts.spotify.com/api/token',
    scope: 'user-read-playback-state user-modify-playback-state user-library-read playlist-modify-public',
  }),
  oauth2('twitterOAuth2Api', 'X OAuth2', 'api.x.com', {
    authUrl: 'https://x.com/i/oauth2/authorize',
    tokenUrl: 'https://api.x.com/2/oauth2/token',
    scope: X_SCOPES.join(' '),
  }),
  oauth2('typeformOAuth2Api', 'Typeform OAuth2', 'api.typeform.com', {
    authUrl: 'https://api.typeform.com/oauth/authorize',
    tokenUrl: 'https://api.typeform.com/oauth/token',
    scope: 'webhooks:write webhooks:read forms:read',
    clientIn: 'body',
  }),
  oauth2(
    'wordpressOAuth2Api',
    'WordPress.com OAuth2',
    'public-api.wordpress.com',
    {
      authUrl: 'https://public-api.wordpress.com/oauth2/authorize',
      tokenUrl: 'https://public-api.wordpress.com/oauth2/token',
      scope: 'global',
      clientIn: 'body',
    },
    [required('wordpressSite', 'Site', { help: 'Such as blog.wordpress.com' })],
  ),
  oauth2('zoomOAuth2Api', 'Zoom OAuth2', 'api.zoom.us', {
    authUrl: 'https://zoom.us/oauth/authorize',
    tokenUrl: 'https://zoom.us/oauth/token',
  }),
];
