import type {
  CallerRules,
  FormField,
  FormPage,
  FormSettings,
  WaitSettings,
  WebhookSettings,
} from '@weft/proto/channels';

/** Rules by which everybody may call, but for what is said otherwise. */
export const callerRules = (over: Partial<CallerRules> = {}): CallerRules => ({
  authentication: 'none',
  credentialId: '',
  ipWhitelist: [],
  ignoreBots: false,
  ...over,
});

/** Settings of a fresh webhook node, but for what is said otherwise. */
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

/** A line of text called Name, but for what is said otherwise. */
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

/** A page without fields, but for what is said otherwise. */
export const formPage = (over: Partial<FormPage> = {}): FormPage => ({
  title: 'Contact',
  description: '',
  button: '',
  fields: [],
  css: '',
  ...over,
});

/** Settings of a form trigger, but for what is said otherwise. */
export const formSettings = (over: Partial<FormSettings> = {}): FormSettings => ({
  callers: callerRules(),
  responseMode: 'onReceived',
  page: formPage(),
  hasPages: false,
  ...over,
});
