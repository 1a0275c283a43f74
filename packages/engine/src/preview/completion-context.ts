/** The part of an expression that is being typed. */
export type CompletionContext =
  /** A root, a global or a node: nothing precedes the name. */
  | { readonly kind: 'root'; readonly from: number; readonly prefix: string }
  /** A member of the value of `head`. */
  | { readonly kind: 'member'; readonly from: number; readonly prefix: string; readonly head: string }
  /** A key in brackets of the value of `head`; `quote` is the mark that was typed. */
  | {
      readonly kind: 'key';
      readonly from: number;
      readonly prefix: string;
      readonly head: string;
      readonly quote: string;
    }
  /** The name of a node in `$('…')`, `$node["…"]` or `$items("…")`. */
  | { readonly kind: 'node'; readonly from: number; readonly prefix: string; readonly quote: string };

const NAME = /[\w$]/;
const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
/** Characters before the cursor that are looked at. */
const MAX_BODY = 5_000;

/**
 * Finds the part of a parameter's text that can be completed at an offset; undefined outside of `{{ }}` and within strings that name
 * nothing.
 * @param text with its `=`
 */
export function completionContext(text: string, offset: number): CompletionContext | undefined {
  const open = text.lastIndexOf('{{', offset - 2);
  if (!text.startsWith('=') || open < 0 || offset - open > MAX_BODY) return undefined;
  const start = open + 2;
  const body = text.slice(start, offset);
  if (endsBefore(body)) return undefined;
  const string = openString(body);
  if (string !== undefined) return inString(body, string, start);
  let from = body.length;
  while (from > 0 && NAME.test(body.charAt(from - 1))) from -= 1;
  const prefix = body.slice(from);
  const dot = /\??\.\s{0,20}$/.exec(body.slice(0, from));
  if (dot === null) {
    // A number or a name that is being declared has nothing to offer.
    return /^\d/.test(prefix) ? undefined : { kind: 'root', from: start + from, prefix };
  }
  const head = headBefore(body, dot.index);
  return head === undefined || /^\d+$/.test(head) ? undefined : { kind: 'member', from: start + from, prefix, head };
}

/** True if the body was closed before its end. */
function endsBefore(body: string): boolean {
  const close = body.indexOf('}}');
  return close >= 0 && openString(body.slice(0, close)) === undefined;
}

interface OpenString {
  readonly quote: string;
  /** Offset of the first character within the quotes. */
  readonly from: number;
}

/** The string literal that is open at the end. */
function openString(body: string): OpenString | undefined {
  let open: OpenString | undefined;
  for (let at = 0; at < body.length; at += 1) {
    const char = body.charAt(at);
    if (char === '\\') at += 1;
    else if (open !== undefined) open = char === open.quote ? undefined : open;
    else if (char === '"' || char === "'" || char === '`') open = { quote: char, from: at + 1 };
  }
  return open;
}

function inString(body: string, { quote, from }: OpenString, start: number): CompletionContext | undefined {
  const prefix = body.slice(from);
  const before = body.slice(0, from - 1).trimEnd();
  const place = { from: start + from, prefix, quote };
  if (/(?:^|[^\w$.])\$\($/.test(before) || /\$items\($/.test(before)) return { kind: 'node', ...place };
  if (!before.endsWith('[')) return undefined;
  const head = headBefore(body, before.length - 1);
  if (head === undefined) return undefined;
  return head === '$node' ? { kind: 'node', ...place } : { kind: 'key', head, ...place };
}

/** The expression that ends at an offset: names, calls and brackets that belong together. */
function headBefore(body: string, end: number): string | undefined {
  let at = end;
  for (;;) {
    const last = body.charAt(at - 1);
    if (NAME.test(last)) {
      while (at > 0 && NAME.test(body.charAt(at - 1))) at -= 1;
    } else if (last === ')' || last === ']') {
      const open = openingOf(body, at - 1);
      if (open === undefined) return undefined;
      at = open;
      if (!/[\w$)\].]$/.test(body.slice(0, at))) return body.slice(at, end);
      continue;
    } else if (last === '"' || last === "'" || last === '`') {
      const open = body.lastIndexOf(last, at - 2);
      return open < 0 ? undefined : body.slice(open, end);
    } else return undefined;
    const dot = /\??\.\s{0,20}$/.exec(body.slice(0, at));
    if (dot === null) return body.slice(at, end);
    at = dot.index;
  }
}

/** The offset of the bracket that a closing one belongs to. */
function openingOf(body: string, close: number): number | undefined {
  const waiting: string[] = [];
  for (let at = close; at >= 0; at -= 1) {
    const char = body.charAt(at);
    if (char === '"' || char === "'" || char === '`') {
      at = body.lastIndexOf(char, at - 1);
      if (at < 0) return undefined;
    } else if (Object.hasOwn(CLOSING, char)) waiting.push(CLOSING[char] ?? '');
    else if (char === waiting.at(-1)) {
      waiting.pop();
      if (waiting.length === 0) return at;
    }
  }
  return undefined;
}
