import fc from 'fast-check';
import { bindParameters } from './bind-parameters';
import { type Dialect, MYSQL, POSTGRES } from './dialect';
import { onlySelects, scanSql, splitStatements } from './scan-sql';

const bind = (query: string, values: readonly unknown[], dialect: Dialect = POSTGRES) =>
  bindParameters(query, values, dialect, 0);

describe('a quoted name', () => {
  it.each([
    ['name', '"name"', '`name`'],
    ['a"b`c', '"a""b`c"', '`a"b``c`'],
    ['public.people', '"public.people"', '`public`.`people`'],
    ['`a.b`.c', '"`a.b`.c"', '`a.b`.`c`'],
    ['x"; DROP TABLE t; --', '"x""; DROP TABLE t; --"', '`x"; DROP TABLE t; --`'],
    ['x`; DROP TABLE t; --', '"x`; DROP TABLE t; --"', '`x``; DROP TABLE t; --`'],
  ])('cannot be escaped with %s', (name, postgres, mysql) => {
    expect([POSTGRES.quote(name), MYSQL.quote(name)]).toEqual([postgres, mysql]);
  });

  it.each([POSTGRES, MYSQL])('is one token, whatever its content', (dialect) => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: fc.constantFrom(...'ab."`\';-/*$# \\') }), (name) => {
        const mark = dialect === POSTGRES ? '"' : '`';
        let quoted: string;
        try {
          quoted = dialect.quote(name);
        } catch {
          return;
        }
        // Without doubled quotes, quotes only begin and end names, and only dots separate names.
        const outside = quoted.replaceAll(new RegExp(`${mark}(?:[^${mark}]|${mark}${mark})*${mark}`, 'g'), '');
        expect(outside).toMatch(dialect === POSTGRES ? /^$/ : /^\.*$/);
      }),
    );
  });

  it.each(['', 'a\u0000b'])('cannot be %j', (name) => {
    for (const dialect of [POSTGRES, MYSQL]) expect(() => dialect.quote(name)).toThrow(/name of a table or column/);
  });
});

describe('query parameters', () => {
  it('are bound by number, including repeated and unordered ones', () => {
    expect(bind('SELECT $2, $1, $2', ['a', 'b'])).toEqual([{ text: 'SELECT $1, $2, $3', values: ['b', 'a', 'b'] }]);
    expect(bind('SELECT $2, $1', ['a', 'b'], MYSQL)).toEqual([{ text: 'SELECT ?, ?', values: ['b', 'a'] }]);
  });

  it.each(["SELECT '$1' || $1", `SELECT "$1", $1`, 'SELECT $1 -- $1', 'SELECT $1 /* $1 */', "SELECT 'it''s $1', $1"])(
    'are placeholders only in code: %s',
    (query) => {
      const [statement] = bind(query, ['x']);
      expect(statement?.text).toBe(query);
      expect(statement?.values).toEqual(['x']);
    },
  );

  it.each(['SELECT $$ $1 $$, $1', 'SELECT $a$ $1 $$ $1 $a$, $1', "SELECT E'\\' $1', $1", 'SELECT /* /* */ $1 */ $1'])(
    'recognize strings and comments of PostgreSQL: %s',
    (query) => expect(bind(query, ['x'])).toEqual([{ text: query, values: ['x'] }]),
  );

  it.each([
    ["SELECT '\\' $1', $1", "SELECT '\\' $1', ?"],
    ['SELECT $1 # $1', 'SELECT ? # $1'],
    ['SELECT `$1`, $1', 'SELECT `$1`, ?'],
  ])('recognize strings, comments and names of MySQL: %s', (query, text) =>
    expect(bind(query, ['x'], MYSQL)).toEqual([{ text, values: ['x'] }]),
  );

  it('become names, lists and JSON with the matching modifier', () => {
    expect(
      bind('SELECT $1:name, $2~ WHERE id IN ($3:csv) AND j = $4:json', [['a', 'b"'], 'c', [1, 2], { k: 1 }]),
    ).toEqual([{ text: 'SELECT "a", "b""", "c" WHERE id IN ($1, $2) AND j = $3', values: [1, 2, '{"k":1}'] }]);
  });

  it.each(['$1:raw', '$1^', '$1:value', '$1#'])('never become part of the query text: %s', (form) =>
    expect(() => bind(`SELECT ${form}`, ['1; DROP TABLE t'])).toThrow(/part of the query/),
  );

  it('are counted', () => {
    expect(() => bind('SELECT $3', ['a'])).toThrow('The query uses $3, but the number of query parameters is 1');
    expect(() => bind('SELECT $0', ['a'])).toThrow('The query uses $0');
  });

  it('leave a query without values unchanged', () => {
    expect(bind(`DO $$ BEGIN PERFORM '$1'; END $$; SELECT 1;`, [])).toEqual([
      { text: `DO $$ BEGIN PERFORM '$1'; END $$; SELECT 1;`, values: [] },
    ]);
  });
});

describe('statements', () => {
  it('are split at semicolons in code', () => {
    expect(splitStatements(`SELECT ';' ; -- a;b\n; /* ; */ ;SELECT "x;y" -- end`, POSTGRES)).toEqual([
      `SELECT ';'`,
      'SELECT "x;y" -- end',
    ]);
  });

  it.each([
    ['select 1', true],
    ['WITH a AS (INSERT INTO t VALUES (1) RETURNING 1) SELECT * FROM a', true],
    ['WITH a AS (SELECT 1) UPDATE t SET x = 1', false],
    ["-- SELECT\nDELETE FROM t WHERE a = 'SELECT'", false],
    ['SELECT 1; DELETE FROM t', false],
    ['', true],
  ])('only read: %s is %s', (query, reads) => expect(onlySelects(query, POSTGRES)).toBe(reads));

  it('are tokenized without loss, whatever they contain, in linear time', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...`a'"\`$-/*#;\\\n 1E`) }), (text) => {
        for (const dialect of [POSTGRES, MYSQL])
          expect(
            scanSql(text, dialect)
              .map((part) => part.text)
              .join(''),
          ).toBe(text);
      }),
    );
    expect(scanSql(`$a$'"/*`.repeat(200_000), POSTGRES).length).toBeGreaterThan(0);
  });
});
