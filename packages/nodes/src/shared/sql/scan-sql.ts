import type { Dialect } from './dialect';

/** A part of an SQL text: code or non-code, which is strings, quoted names and comments. */
export interface SqlPart {
  readonly kind: 'code' | 'quoted' | 'comment';
  readonly text: string;
}

/** Tokenizes SQL. An unterminated token extends to the end. Takes time linear in the text. */
export function scanSql(text: string, dialect: Dialect): SqlPart[] {
  const parts: SqlPart[] = [];
  let start = 0;
  let at = 0;
  while (at < text.length) {
    const end = endOfPart(text, at, dialect);
    if (end === undefined) {
      at += 1;
      continue;
    }
    if (at > start) parts.push({ kind: 'code', text: text.slice(start, at) });
    parts.push({ kind: isComment(text, at) ? 'comment' : 'quoted', text: text.slice(at, end) });
    start = end;
    at = end;
  }
  if (at > start) parts.push({ kind: 'code', text: text.slice(start) });
  return parts;
}

/** The statements of a text, without empty statements and those with comments only. */
export function splitStatements(text: string, dialect: Dialect): string[] {
  const statements: { text: string; isEmpty: boolean }[] = [{ text: '', isEmpty: true }];
  const add = (more: string, isEmpty: boolean): void => {
    const last = statements.at(-1);
    if (last === undefined) return;
    last.text += more;
    last.isEmpty &&= isEmpty;
  };
  for (const part of scanSql(text, dialect)) {
    if (part.kind !== 'code') {
      add(part.text, part.kind === 'comment');
      continue;
    }
    for (const [index, code] of part.text.split(';').entries()) {
      if (index > 0) statements.push({ text: '', isEmpty: true });
      add(code, code.trim() === '');
    }
  }
  return statements.filter(({ isEmpty }) => !isEmpty).map((statement) => statement.text.trim());
}

const COMMANDS = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** True if every statement is a query: its first command outside parentheses is SELECT. */
export function onlySelects(text: string, dialect: Dialect): boolean {
  return splitStatements(text, dialect).every((statement) => commandOf(statement, dialect) === 'SELECT');
}

function commandOf(statement: string, dialect: Dialect): string | undefined {
  const code = scanSql(statement, dialect)
    .map((part) => (part.kind === 'code' ? part.text : ' '))
    .join('');
  let depth = 0;
  for (const [word] of code.matchAll(/[()]|[A-Za-z_]\w*/g)) {
    if (word === '(') depth += 1;
    else if (word === ')') depth -= 1;
    else if (depth <= 0 && COMMANDS.has(word.toUpperCase())) return word.toUpperCase();
  }
  return undefined;
}

function isComment(text: string, at: number): boolean {
  return text.startsWith('--', at) || text.startsWith('/*', at) || text[at] === '#';
}

/** End of the non-code part that begins at `at`; undefined for code. */
function endOfPart(text: string, at: number, dialect: Dialect): number | undefined {
  switch (text.charAt(at)) {
    case "'":
      return endOfQuote(text, at, dialect.backslashes || isEscapeString(text, at));
    case '"':
      return endOfQuote(text, at, dialect.backslashes);
    case '`':
      return dialect.mysql ? endOfQuote(text, at, false) : undefined;
    case '#':
      return dialect.mysql ? endOfLine(text, at) : undefined;
    case '-':
      return text[at + 1] === '-' ? endOfLine(text, at) : undefined;
    case '/':
      return text[at + 1] === '*' ? endOfBlock(text, at, !dialect.mysql) : undefined;
    case '$':
      return dialect.mysql ? undefined : endOfDollarQuote(text, at);
    default:
      return undefined;
  }
}

/** `E'…'` strings of PostgreSQL. */
function isEscapeString(text: string, at: number): boolean {
  return /[eE]/.test(text[at - 1] ?? '') && !/[\w$]/.test(text[at - 2] ?? '');
}

function endOfQuote(text: string, at: number, backslashes: boolean): number {
  const mark = text[at] ?? '';
  for (let index = at + 1; index < text.length; index += 1) {
    if (backslashes && text[index] === '\\') index += 1;
    else if (text[index] === mark) {
      if (text[index + 1] !== mark) return index + 1;
      index += 1;
    }
  }
  return text.length;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** PostgreSQL nests block comments. */
function endOfBlock(text: string, at: number, nests: boolean): number {
  let depth = 1;
  for (let index = at + 2; index < text.length; index += 1) {
    if (nests && text.startsWith('/*', index)) {
      depth += 1;
      index += 1;
    } else if (text.startsWith('*/', index)) {
      depth -= 1;
      index += 1;
      if (depth === 0) return index + 1;
    }
  }
  return text.length;
}

const DOLLAR_TAG = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;

function endOfDollarQuote(text: string, at: number): number | undefined {
  if (/[\w$]/.test(text[at - 1] ?? '')) return undefined;
  DOLLAR_TAG.lastIndex = at;
  const tag = DOLLAR_TAG.exec(text)?.[0];
  if (tag === undefined) return undefined;
  const end = text.indexOf(tag, at + tag.length);
  return end < 0 ? text.length : end + tag.length;
}
