import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BIN = join(__dirname, '..', '..', 'bin');
const SCRIPT = join(BIN, 'check-text.mjs');

/** A sentence with each phrase, and a part of the suggestion. */
const SENTENCES: readonly (readonly [sentence: string, suggestion: string])[] = [
  ['What comes and goes is held.', 'a noun'],
  ['Each has a folder of its own.', '"separate"'],
  ['It restarts by itself.', '"automatically"'],
  ['Its log is beside the old one.', '"next to"'],
  ['Whoever calls must wait.', '"anyone who"'],
  ['A port where nobody listens.', '"someone"'],
  ['It reads states of before.', '"of the previous ..."'],
  ['It runs with the release before.', '"the previous ..."'],
  ['All others work as ever.', '"as before"'],
  ['The definition stays as it was.', '"unchanged"'],
  ['It sleeps for so many milliseconds.', '"this number of"'],
  ['No caller waits for so long.', '"this long"'],
  ['It retries for ever.', '"permanently"'],
  ['It begins anew.', '"again"'],
  ['The run goes on.', '"continue"'],
  ['A number is none.', '"is not one"'],
  ['The parent is told of its end.', '"reported to"'],
  ['Two stacks are measured in turns.', '"alternating with"'],
  ['The texts are short.', '"strings"'],
  ['The data are stored.', '"data is"'],
  ['The size is stated.', '"given"'],
  ['It deletes those of them that have ended.', 'not pronouns'],
  ['It does not take the 3 s that one has.', 'the name of the thing; '],
  ['The sweeper sees to it.', '"makes sure"'],
  ['It is listed all the same.', '"anyway"'],
];

/** Places of a sentence in a file of a kind. */
const PLACES: Readonly<Record<string, (sentence: string) => string>> = {
  'comment.ts': (sentence) => `// ${sentence}`,
  'docstring.ts': (sentence) => ` * ${sentence}`,
  'behind.ts': (sentence) => `const one = 1; // ${sentence}`,
  'string.ts': (sentence) => `fail(${JSON.stringify(sentence)})`,
  'page.md': (sentence) => sentence,
  'manifest.yaml': (sentence) => `# ${sentence}`,
  'hooks.py': (sentence) => `one = 1  # ${sentence}`,
};

describe('phrases that read as translated', () => {
  let findings: readonly string[] = [];
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-phrases-'));
    const files = Object.entries(PLACES).map(([name, place]) => {
      writeFileSync(join(folder, name), SENTENCES.map(([sentence]) => place(sentence)).join('\n'));
      return join(folder, name);
    });
    findings = spawnSync(process.execPath, [SCRIPT, ...files], { encoding: 'utf8' }).stderr.split('\n');
    rmSync(folder, { recursive: true });
  });

  it.each(SENTENCES.map(([sentence, suggestion], index) => [sentence, suggestion, index + 1] as const))(
    'are found in comments, strings, pages and manifests: %s',
    (_, suggestion, line) => {
      for (const name of Object.keys(PLACES)) {
        const found = findings.filter((each) => each.includes(`/${name}:${line} `));
        expect([name, ...found.map((each) => `${each}; `)]).toEqual([name, expect.stringContaining(suggestion)]);
      }
    },
  );
});

describe('the check of the text of sources', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-words-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const check = (text: string, name = 'a.ts') => {
    const file = join(folder, name);
    writeFileSync(file, text);
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, file], { encoding: 'utf8' });
    return { status, stderr };
  };

  it.each([
    ['an identifier', 'const findSleepers = 1;', 'use inProcessWaits'],
    ['a comment', '// first\n// Neighbours of the service.', 'a.ts:2'],
    ['a message', "fail('There is nothing at /x.')", 'use Not found:'],
    ['a sentence', '// What is no object is refused.', 'use is not a'],
    ['a constant', 'const RETRY_MAX = 3;', 'use MAX_ in front'],
  ])('fails for a retired word in %s, and names its place and replacement', (_, text, expected) => {
    const { status, stderr } = check(text);
    expect(status).toBe(1);
    expect(stderr).toContain(expected);
  });

  it('has a sentence for each phrase', () => {
    const program =
      'import(process.argv[1]).then(({ PHRASES }) => console.log(JSON.stringify(PHRASES.map(([, use]) => use))))';
    const uses: readonly string[] = JSON.parse(
      execFileSync(process.execPath, ['-e', program, join(BIN, 'phrases.mjs')], { encoding: 'utf8' }),
    );
    expect(uses.map((use) => SENTENCES.filter(([, part]) => `${use}; `.includes(part)).length)).toEqual(
      uses.map(() => 1),
    );
  });

  it('fails for a comment that repeats the name below it', () => {
    expect(check('/** Creates the rule. */')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('delete it'),
    });
    expect(check('/** Creates the rule of one bucket. */').status).toBe(0);
  });

  it('keeps a phrase for a reason, on its line and on the next one', () => {
    const text = '// Nobody listens.';
    expect(check(`// check-text allows: a quote\n${text}`).status).toBe(0);
    expect(check(`${text} check-text allows: a quote`).status).toBe(0);
    expect(check(`// check-text allows:\n${text}`).status).toBe(1);
    expect(check(`// check-text allows: a quote\n\n${text}`).status).toBe(1);
  });

  it('ignores phrases outside of prose: identifiers, single words, code, headings and questions', () => {
    const code = "const texts = read('beside', `${stated} of 3`);\n// Reads `texts`. There is none. What is it?";
    expect(check(code)).toEqual({ status: 0, stderr: '' });
    expect(check('## What it runs\nWrite `anew`.', 'a.md')).toEqual({ status: 0, stderr: '' });
  });

  it('fails for a line of more than 120 characters, except in a page', () => {
    const line = `// ${'x '.repeat(60)}`;
    expect(check(line)).toMatchObject({ status: 1, stderr: expect.stringContaining('a.ts:1 has 123 characters') });
    expect(check(line, 'a.md').status).toBe(0);
  });

  it('passes text without retired words', () => {
    expect(check('const MAX_RETRIES = Number.MAX_SAFE_INTEGER;\n// There is no file.\nconst outcome = 1;')).toEqual({
      status: 0,
      stderr: '',
    });
  });
});
