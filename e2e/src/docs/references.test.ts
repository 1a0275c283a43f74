import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '..', '..', '..', '..');

const PASSED_OVER = new Set(['node_modules', 'dist', '.git', '.weft', 'gen']);

/** Every file of the repository, as a path from its root. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (PASSED_OVER.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [relative(root, path)];
  });

const files = filesBelow(root);
const ofKind = (...endings: string[]): string[] =>
  files.filter((file) => endings.some((ending) => file.endsWith(ending)));
const pages = ofKind('.md');
const sources = ofKind('.ts', '.mjs', '.cjs', '.proto', '.yaml', 'Dockerfile');
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** A piece of text that may name files, and its place. */
interface Piece {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const piecesOf = (file: string, pattern: RegExp): Piece[] => {
  const text = textOf(file);
  return [...text.matchAll(pattern)].map((match) => ({
    file,
    line: text.slice(0, match.index).split('\n').length,
    text: match[1] ?? match[0],
  }));
};

const at = ({ file, line }: Piece, missing: string): string => `${file}:${line} -> ${missing}`;

/** Files that a guide asks its readers to make, and files of a release. */
const MADE = 'reverse(?:/\\w+)?|archive-workflow|compose.override|api|orders|stock|receiver|try|weft|RELEASE-\\w+';
const TO_BE_MADE = new RegExp(`(?:^|/)(?:${MADE})\\.[\\w.]+$`);

/** Strings that look like a path and are not: names of deployments for kubectl. */
const NO_PATHS = new Set(['deploy/weft-credentials']);

/** A path from the root of the repository. */
const PATH = /(?<![\w./@~<-])(?:services|packages|proto|docs|e2e|deploy)\/[\w./-]*\w/g;

/** A file, with the last of its folders or without any. */
const FILE = /(?<![\w./@*<>~-])(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|mjs|cjs|proto|md|yaml)\b/g;

/** The number of a decision, as pages refer to each other. */
const DECISION = /(?<![\w.,-])0[0-2]\d\d(?![\w.-])/g;

const isMade = (path: string): boolean => /(?:^|\/)(?:dist|gen)(?:\/|$)/.test(path);

/** Of a path that continues with a placeholder or a wildcard, only the folder can be looked up. */
const known = (path: string, next: string): string => (/[*{<…$]/.test(next) ? dirname(path) : path);

const missingPaths = (piece: Piece): string[] =>
  [...piece.text.matchAll(PATH)]
    .map((match) => known(match[0], piece.text[match.index + match[0].length] ?? ''))
    .filter((path) => !TO_BE_MADE.test(path) && !NO_PATHS.has(path) && !isMade(path))
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => at(piece, path));

const missingFiles = (piece: Piece): string[] =>
  [...piece.text.matchAll(FILE)]
    .map(([file]) => file)
    .filter((file) => !TO_BE_MADE.test(file) && !isMade(file))
    .filter((file) => !files.some((present) => present === file || present.endsWith(`/${file}`)))
    .map((file) => at(piece, file));

const decisionPages = pages.filter((file) => /^docs\/decisions\/\d{4}-/.test(file));
const decisionIndex = textOf('docs/decisions/README.md');

/** Number of a decision page, from its file name. */
const numberOf = (file: string): string => file.slice('docs/decisions/'.length).slice(0, 4);
const decisions = decisionPages.map(numberOf);

/** Number that a page no longer has, with the page that replaces it, as the index lists both. */
const merged = [...decisionIndex.matchAll(/^- (\d{4}) → \[(\d{4})\]/gm)].map(([, from = '', to = '']) => ({
  from,
  to,
}));
const knownDecisions = new Set([...decisions, ...merged.map(({ from }) => from)]);

const missingDecisions = (piece: Piece): string[] =>
  [...piece.text.matchAll(DECISION)]
    .filter(([number]) => !knownDecisions.has(number))
    .map(([number]) => at(piece, `docs/decisions/${number}-…`));

/** Comments of a source, line by line. */
const commentsOf = (file: string): Piece[] =>
  file.endsWith('.yaml') || file.endsWith('Dockerfile')
    ? piecesOf(file, /(?:^|\s)#(.*)$/gm)
    : piecesOf(file, /(?:^|\s)(?:\/\/|\/?\*)(.*)$/gm);

const linesOf = (file: string): Piece[] => piecesOf(file, /^.+$/gm);

interface Link extends Piece {
  readonly label: string;
  readonly path: string;
  readonly anchor: string;
}

const linksOf = (file: string): Link[] =>
  piecesOf(file, /\[[^\]\n]*\]\([^)\s]+\)/g).flatMap((piece) => {
    const [, label = '', target = ''] = /^\[(.*)\]\((.*)\)$/.exec(piece.text) ?? [];
    if (/^\w+:/.test(target)) return [];
    const [path = '', anchor = ''] = target.split('#');
    return [{ ...piece, label, anchor, path: path === '' ? file : join(dirname(file), path) }];
  });

const anchorsOf = (file: string): string[] =>
  piecesOf(file, /^#+ (.*)$/gm).map(({ text }) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-'),
  );

const links = pages.flatMap(linksOf);
const texts = [...pages.flatMap(linesOf), ...sources.flatMap(commentsOf)];

describe('a reference in docs and comments', () => {
  it('exists: every link of a page', () => {
    expect(links.filter(({ path }) => !existsSync(join(root, path))).map((link) => at(link, link.path))).toEqual([]);
  });

  it('exists: every heading that a link of a page names', () => {
    const anchored = links.filter(({ anchor, path }) => anchor !== '' && path.endsWith('.md'));
    expect(
      anchored
        .filter(({ anchor, path }) => !anchorsOf(path).includes(anchor))
        .map((link) => at(link, `${link.path}#${link.anchor}`)),
    ).toEqual([]);
  });

  it('exists: every identifier in the file that a link of a page says it is in', () => {
    const named = links.flatMap((link) => {
      const [, identifier] = /^`(\w+)`$/.exec(link.label) ?? [];
      return identifier === undefined || !link.path.endsWith('.ts') ? [] : [{ ...link, identifier }];
    });
    expect(named.length).toBeGreaterThan(0);
    expect(
      named
        .filter(({ path, identifier }) => !new RegExp(`\\b${identifier}\\b`).test(textOf(path)))
        .map((link) => at(link, `${link.identifier} in ${link.path}`)),
    ).toEqual([]);
  });

  it('exists: every path in pages, and in comments of sources', () => {
    expect(texts.flatMap(missingPaths)).toEqual([]);
  });

  it('exists: every file that they name without all of its folders', () => {
    expect(texts.flatMap(missingFiles)).toEqual([]);
  });

  it('exists: every decision that they name by its number', () => {
    expect(texts.flatMap(missingDecisions)).toEqual([]);
  });

  it('is to one page: no two decisions share a number, and each says its own at its head', () => {
    expect(decisions.filter((number, place) => decisions.indexOf(number) !== place)).toEqual([]);
    expect(decisionPages.filter((file) => !textOf(file).startsWith(`# ${numberOf(file)}: `))).toEqual([]);
  });

  it('finds a status on every decision', () => {
    expect(decisionPages.filter((file) => !/^Status: (?:accepted|removed|superseded by)/m.test(textOf(file)))).toEqual(
      [],
    );
  });

  it('finds every decision once in the index', () => {
    const listed = [...decisionIndex.matchAll(/^- \[\d{4} [^\]]*\]\(([^)]+)\)/gm)].map(([, file]) => file);
    expect(listed.toSorted()).toEqual(decisionPages.map((file) => file.slice('docs/decisions/'.length)).toSorted());
  });

  it('finds a page for every merged number', () => {
    expect(merged.filter(({ from, to }) => decisions.includes(from) || !decisions.includes(to))).toEqual([]);
  });

  it('exists: every command of npm run', () => {
    const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(textOf('package.json'));
    const missing = texts.flatMap((piece) =>
      [...piece.text.matchAll(/npm run ([\w:]+(?:-\w+)*)/g)]
        .filter(([, name = '']) => scripts[name] === undefined)
        .map(([command]) => at(piece, command)),
    );
    expect(missing).toEqual([]);
  });

  it('exists: every line of a log that an operating page quotes', () => {
    const code = ofKind('.ts')
      .filter((file) => /^(?:services|packages)\/.*\/src\//.test(file))
      .map(textOf)
      .join('\n');
    const isCommand = (text: string): boolean =>
      /^(?:docker|kubectl|minikube|nats|node|np[mx]|promtool) |[|{(=]/.test(text);
    const quoted = pages
      .filter((page) => /^docs\/(?:operations\/|guides\/(?:kubernetes|logs|change-the-master-key)\.)/.test(page))
      .flatMap((page) => piecesOf(page, /[`"]([A-Za-z][\w']* [a-z][^`"\n]*)[`"]/g))
      .map((piece) => ({ ...piece, text: piece.text.replace(/…[^]*/, '').trim() }))
      .filter(({ text }) => text.length > 12 && !isCommand(text));
    expect(quoted.length).toBeGreaterThan(5);
    expect(quoted.filter(({ text }) => !code.includes(text)).map((piece) => at(piece, piece.text))).toEqual([]);
  });

  it('is in the repository: no page of a design that readers do not have', () => {
    const elsewhere = /\bdesign pages?\b/i;
    expect(texts.filter(({ text }) => elsewhere.test(text)).map((piece) => at(piece, piece.text.trim()))).toEqual([]);
  });
});
