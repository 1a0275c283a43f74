import type { EditorHint, EditorHints } from './with-editor-hints';

const JAVASCRIPT: EditorHint = { editor: 'javascript' };
const HTML: EditorHint = { editor: 'html' };
const LINES: EditorHint = { editor: 'multiline' };
const CRON: EditorHint = { editor: 'cron', placeholder: '0 9 * * 1-5' };
const WORKFLOW: EditorHint = { reference: 'workflow' };

const example = (placeholder: string): EditorHint => ({ placeholder });
const MAIL = example('ada@example.com');
const URL = example('https://example.com/page');
const ADDRESSES = example('192.0.2.1, 198.51.100.0/24');
const FIELDS = example('id, name');

const FIELDS_OF_FORMS: EditorHints = {
  'formFields.values.html': HTML,
  'formFields.values.acceptFileTypes': example('.pdf, .png'),
};

const CALENDAR: EditorHints = {
  'additionalFields.description': LINES,
  'additionalFields.attendeesUi.attendeeValues.email': MAIL,
  'additionalFields.organizerUi.organizerValues.email': MAIL,
  'additionalFields.recurrenceRule': example('FREQ=WEEKLY;COUNT=10'),
};

const EXTRACTED: EditorHints = {
  'extractionValues.values.cssSelector': example('h1.title'),
  'extractionValues.values.attribute': example('href'),
};

const STORAGE: EditorHints = { fileContent: LINES };

/** Hints for forms, by kind. */
export const EDITOR_HINTS: Readonly<Record<string, EditorHints>> = {
  aggregate: { fieldsToExclude: FIELDS, fieldsToInclude: FIELDS },
  aiTransform: { jsCode: JAVASCRIPT, instructions: LINES, codeGeneratedForPrompt: LINES },
  awsS3: STORAGE,
  code: { jsCode: JAVASCRIPT, pythonCode: LINES },
  compareDatasets: { 'options.skipFields': FIELDS },
  convertToFile: CALENDAR,
  cron: { 'triggerTimes.item.cronExpression': CRON },
  crypto: { value: LINES, privateKey: LINES },
  dataTable: { dataTableId: { reference: 'dataTable' } },
  dateTime: {
    customFormat: example('yyyy-MM-dd HH:mm'),
    'options.fromFormat': example('yyyy-MM-dd HH:mm'),
    'options.timezone': example('Europe/Berlin'),
  },
  editImage: { text: LINES, 'operations.operations.text': LINES },
  emailReadImap: {
    'pollTimes.item.cronExpression': CRON,
    'options.customEmailConfig': { editor: 'json', placeholder: '["UNSEEN", ["SUBJECT", "Order"]]' },
  },
  emailSend: {
    ...FIELDS_OF_FORMS,
    fromEmail: example('Weft <weft@example.com>'),
    toEmail: example('ada@example.com, alan@example.com'),
    ccEmail: MAIL,
    bccEmail: MAIL,
    message: LINES,
    text: LINES,
    html: HTML,
    attachments: example('data'),
    'options.attachments': example('data'),
    'options.replyTo': MAIL,
    'options.ccEmail': MAIL,
    'options.bccEmail': MAIL,
    'options.responseFormDescription': LINES,
    'options.responseFormCustomCss': LINES,
  },
  executeWorkflow: { workflowId: WORKFLOW },
  form: {
    ...FIELDS_OF_FORMS,
    completionMessage: LINES,
    redirectUrl: URL,
    responseText: HTML,
    'options.formDescription': LINES,
    'options.customCss': LINES,
  },
  formTrigger: {
    ...FIELDS_OF_FORMS,
    path: example('orders'),
    formDescription: LINES,
    'options.customCss': LINES,
    'options.formSubmittedText': LINES,
    'options.ipWhitelist': ADDRESSES,
    'options.path': example('orders'),
    'options.respondWithOptions.values.formSubmittedText': LINES,
    'options.respondWithOptions.values.redirectUrl': URL,
  },
  ftp: { path: example('/orders/today.csv'), fileContent: LINES },
  function: { functionCode: JAVASCRIPT },
  functionItem: { functionCode: JAVASCRIPT },
  graphql: {
    endpoint: example('https://example.com/graphql'),
    query: { editor: 'multiline', placeholder: 'query { orders { id } }' },
  },
  html: { ...EXTRACTED, html: HTML },
  htmlExtract: EXTRACTED,
  httpRequest: {
    url: example('https://example.com/orders'),
    body: LINES,
    rawContentType: example('text/plain'),
    'options.bodyContentCustomMimeType': example('text/plain'),
    'options.proxy': example('http://proxy.example.com:3128'),
    'options.pagination.pagination.statusCodesWhenComplete': example('204, 404'),
  },
  iCal: CALENDAR,
  itemLists: { code: JAVASCRIPT },
  jwt: { token: LINES },
  markdown: { html: HTML, markdown: LINES },
  merge: {
    query: { editor: 'sql', placeholder: 'SELECT * FROM input1 LEFT JOIN input2 ON input1.id = input2.id' },
    fieldsToMatchString: FIELDS,
  },
  mongoDb: { fields: FIELDS, 'options.dateFields': example('createdAt, updatedAt') },
  mySql: {
    query: { editor: 'sql', placeholder: 'SELECT id, name FROM customers WHERE id = $1' },
    columns: FIELDS,
  },
  n8n: {
    workflowId: WORKFLOW,
    'filters.workflowId': WORKFLOW,
    credentialId: { reference: 'credential' },
    credentialTypeName: example('httpHeaderAuth'),
  },
  n8nTrainingCustomerMessenger: { message: LINES },
  postgres: {
    query: { editor: 'sql', placeholder: 'SELECT id, name FROM customers WHERE id = $1' },
    columns: FIELDS,
    returnFields: FIELDS,
  },
  redis: { value: LINES, messageData: LINES, keyPattern: example('order:*') },
  removeDuplicates: { fieldsToExclude: FIELDS, fieldsToCompare: FIELDS },
  respondToWebhook: { redirectURL: URL, responseBody: LINES },
  rssFeedRead: { url: example('https://example.com/feed.xml') },
  rssFeedReadTrigger: {
    'pollTimes.item.cronExpression': CRON,
    feedUrl: example('https://example.com/feed.xml'),
  },
  s3: STORAGE,
  scheduleTrigger: { 'rule.interval.expression': CRON },
  set: {
    'fields.values.arrayValue': { editor: 'json', placeholder: '[1, 2]' },
    includeFields: FIELDS,
    excludeFields: FIELDS,
  },
  sort: { code: JAVASCRIPT },
  splitOut: { fieldToSplitOut: FIELDS, fieldsToInclude: FIELDS },
  ssh: { command: { editor: 'multiline', placeholder: 'ls -l' }, cwd: example('/home/weft') },
  stickyNote: { content: LINES },
  stopAndError: { errorMessage: LINES },
  summarize: { fieldsToSplitBy: FIELDS },
  wait: {
    ...FIELDS_OF_FORMS,
    formDescription: LINES,
    'options.ipWhitelist': ADDRESSES,
    'options.responseData': LINES,
    'options.respondWithOptions.values.formSubmittedText': LINES,
    'options.respondWithOptions.values.redirectUrl': URL,
  },
  webhook: {
    path: example('orders'),
    'options.allowedOrigins': example('https://example.com'),
    'options.ipWhitelist': ADDRESSES,
    'options.responseData': LINES,
    'options.responseContentType': example('text/plain'),
  },
};
