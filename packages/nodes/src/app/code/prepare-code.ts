import type { AppCode, AppDocument } from '@weft/app-model';
import { type Make, optionally, type PreparedRequest, requestOf } from '../prepare-request';
import type { Template } from '../template';

/** A piece of a program: a script of the app, or the source of a code step. */
interface Piece {
  /** Its place in the app file, for messages. */
  readonly path: string;
  /** Line of the program at which it begins, from 1. */
  readonly firstLine: number;
}

/** A code step, ready to be run. */
export interface PreparedCode {
  /** Function expression that calls `next` with the JSON of the current item. */
  readonly program: string;
  readonly pieces: readonly Piece[];
  /** The calls that the code may request, by name. Their templates read the request as `$request`. */
  readonly calls: ReadonlyMap<string, PreparedRequest>;
  readonly values: Template | undefined;
}

/** Additions of a code step's request to its call. The values are data: nothing in them is an expression. */
const REQUEST = {
  path: '={{ $request.path }}',
  query: { '...query': '={{ $request.query }}' },
  headers: { '...headers': '={{ $request.headers }}' },
  body: '={{ $request.body }}',
};

const BEGIN = '(async function () {\n';
const END = '\nreturn next($json);\n})';

/** Prepares the code step of an operation. @param path of the step in its file, with the name of the app before it */
export function prepareCode(app: AppDocument, code: AppCode, path: string, make: Make): PreparedCode {
  const texts = [
    ...(code.scripts ?? []).map((name) => ({ text: app.scripts?.[name] ?? '', path: `${app.name}: scripts.${name}` })),
    { text: code.source, path: `${path}.source` },
  ];
  const pieces: Piece[] = [];
  let line = linesIn(BEGIN);
  for (const piece of texts) {
    pieces.push({ path: piece.path, firstLine: line });
    line += linesIn(piece.text);
  }
  return {
    program: `${BEGIN}${texts.map(({ text }) => text).join('\n')}${END}`,
    pieces,
    calls: new Map(code.calls.map((name) => [name, requestOf(app, name, REQUEST, path, make)])),
    values: optionally(make)(code.values, `${path}.values`),
  };
}

const linesIn = (text: string): number => text.split('\n').length;

/** The place in the app file of a line of the program: `notion: scripts.texts, line 3`. */
export function placeOf({ pieces }: PreparedCode, line: number | undefined): string {
  const piece = pieces.findLast(({ firstLine }) => firstLine <= (line ?? Infinity));
  if (piece === undefined) return '';
  return line === undefined ? piece.path : `${piece.path}, line ${line - piece.firstLine + 1}`;
}
