/** Characters of a summary; it is one line of a node on the canvas. */
const MAX_SUMMARY = 60;

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['equals', '='],
  ['notEquals', '≠'],
  ['gt', '>'],
  ['lt', '<'],
  ['gte', '≥'],
  ['lte', '≤'],
  ['contains', 'contains'],
  ['notContains', 'lacks'],
  ['exists', 'exists'],
  ['notExists', 'is missing'],
  ['empty', 'is empty'],
  ['notEmpty', 'is not empty'],
  ['true', 'is true'],
  ['false', 'is false'],
  ['startsWith', 'starts with'],
  ['endsWith', 'ends with'],
]);

type Summarize = (parameters: unknown) => string | undefined;

/**
 * Purpose of a node in a few words, from its parameters: `POST /orders`, `$json.total > 500`, `3 fields`. Undefined for
 * kinds and parameters that say no more than their label.
 * @param kind the part of the type after the dot
 */
export function nodeSummary(kind: string, parameters: unknown): string | undefined {
  const text = SUMMARIES.get(kind)?.(parameters)?.replace(/\s+/g, ' ').trim();
  if (text === undefined || text === '') return undefined;
  return text.length > MAX_SUMMARY ? `${text.slice(0, MAX_SUMMARY - 1)}…` : text;
}

const SUMMARIES: ReadonlyMap<string, Summarize> = new Map<string, Summarize>([
  ['webhook', (from) => joined([shown(field(from, 'httpMethod')) ?? 'GET', pathOf(from)])],
  ['langchain.mcpTrigger', (from) => joined(['MCP', pathOf(from)])],
  ['formTrigger', (from) => shown(field(from, 'formTitle'))],
  ['httpRequest', (from) => joined([shown(field(from, 'method')) ?? 'GET', hostOf(shown(field(from, 'url')))])],
  ['respondToWebhook', responseOf],
  ['if', (from) => conditionsOf(field(from, 'conditions'))],
  ['filter', (from) => conditionsOf(field(from, 'conditions'))],
  ['switch', (from) => counted(listField(field(from, 'rules'), 'values').length, 'rule')],
  ['set', fieldsOf],
  ['code', (from) => (textField(from, 'language')?.startsWith('python') === true ? 'Python' : 'JavaScript')],
  ['merge', (from) => shown(field(from, 'mode'))],
  ['splitOut', (from) => shown(field(from, 'fieldToSplitOut'))],
  ['limit', (from) => counted(numberOf(field(from, 'maxItems')) ?? 0, 'item')],
  ['wait', waitOf],
  ['executeWorkflow', (from) => textField(field(from, 'workflowId'), 'cachedResultName')],
  ['stopAndError', (from) => shown(field(from, 'errorMessage'))],
]);

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function textField(value: unknown, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === 'string' ? found : undefined;
}

function listField(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

/** A value as people write it: expressions without their braces. */
function shown(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value === '') return undefined;
  if (!value.startsWith('=')) return value;
  const whole = /^=\s*\{\{([^{}]*)\}\}\s*$/.exec(value);
  return (whole?.[1] ?? value.slice(1)).trim();
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === parts.length ? known.join(' ') : undefined;
}

function counted(count: number, noun: string): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function pathOf(from: unknown): string | undefined {
  const path = shown(field(from, 'path'));
  return path === undefined ? undefined : `/${path.replace(/^\/+/, '')}`;
}

/** The host of an address; an address that is computed stays as it is. */
function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : (/^https?:\/\/([^/?#{}\s]+)/i.exec(url)?.[1] ?? url);
}

function responseOf(from: unknown): string | undefined {
  const code = shown(field(field(from, 'options'), 'responseCode'));
  const what = shown(field(from, 'respondWith'));
  return code === undefined && what === undefined
    ? undefined
    : [code, what].filter((part) => part !== undefined).join(' ');
}

function conditionsOf(filter: unknown): string | undefined {
  const [first, ...others] = listField(filter, 'conditions');
  const sign = SIGNS.get(textField(field(first, 'operator'), 'operation') ?? '');
  const left = shown(field(first, 'leftValue'));
  if (left === undefined || sign === undefined)
    return counted(others.length + (first === undefined ? 0 : 1), 'condition');
  const isSingle = field(field(first, 'operator'), 'singleValue') === true;
  const right = isSingle ? undefined : shown(field(first, 'rightValue'));
  const text = [left, sign, right].filter((part) => part !== undefined).join(' ');
  return others.length === 0 ? text : `${text} +${others.length}`;
}

function fieldsOf(from: unknown): string | undefined {
  if (textField(from, 'mode') === 'raw') return 'JSON';
  const [first, ...others] = listField(field(from, 'assignments'), 'assignments');
  const name = shown(field(first, 'name'));
  return others.length === 0 && name !== undefined
    ? name
    : counted(first === undefined ? 0 : others.length + 1, 'field');
}

function waitOf(from: unknown): string | undefined {
  const resume = textField(from, 'resume') ?? 'timeInterval';
  return resume === 'timeInterval' ? joined([shown(field(from, 'amount')), shown(field(from, 'unit'))]) : undefined;
}
