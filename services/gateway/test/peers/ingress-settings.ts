import type {
  CallerRules,
  FormField,
  FormPage,
  FormSettings,
  WaitSettings,
  WebhookSettings,
} from '@weft/proto/channels';

/** Rules that admit every caller, with the given changes. */
export const callerRules = (over: Partial<CallerRules> = {}): CallerRules => ({
  authentication: 'none',
  credentialId: '',
  ipWhitelist: [],
  ignoreBots: false,
  ...over,
});

/** Settings of a new webhook node, with the given changes. */
export const webhookSettings = (over: Partial<WebhookSettings> = {}): WebhookSettings => ({
  callers: callerRules(),
  responseMode: 'onReceived',
  responseCode: 200,
  responseHeaders: [],
  noResponseBody: false,
  allowedOrigins: ['*'],
  wholeBody: 'never',
  rawBody: false,
  fileProperty: '',
  outputsByMethod: false,
  ...over,
});

/** Settings of a wait for a call. */
export const webhookWait = (
  over: Partial<WebhookSettings> = {},
  { suffix = '', methods = ['POST'] }: { readonly suffix?: string; readonly methods?: string[] } = {},
): WaitSettings => ({
  suffix,
  channel: { $case: 'webhook', value: { settings: webhookSettings(over), methods } },
});

/** A single-line text field called Name, with the given changes. */
export const formField = (over: Partial<FormField> = {}): FormField => ({
  name: 'Name',
  label: 'Name',
  type: 'text',
  required: false,
  placeholder: '',
  initial: '',
  options: [],
  multiple: false,
  accept: '',
  ...over,
});

/** A page without fields, with the given changes. */
export const formPage = (over: Partial<FormPage> = {}): FormPage => ({
  title: 'Contact',
  description: '',
  button: '',
  fields: [],
  css: '',
  ...over,
});

/** Settings of a form trigger, with the given changes. */
export const formSettings = (over: Partial<FormSettings> = {}): FormSettings => ({
  callers: callerRules(),
  responseMode: 'onReceived',
  page: formPage(),
  hasPages: false,
  ...over,
});
