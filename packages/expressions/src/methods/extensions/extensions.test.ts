import { bodyValue, errorOf } from '../../testing/fixed-scope';

const BERLIN = { timezone: 'Europe/Berlin' };

const cases: Readonly<Record<string, readonly (readonly [body: string, value: unknown])[]>> = {
  'a string': [
    ['"".isEmpty()', true],
    ['" ".isNotEmpty()', true],
    ['"four".length()', 4],
    ['"weft".hash()', 'e153e1f0af33f12922976c5d0d2ee47b'],
    ['"weft".hash("sha256").slice(0, 16)', 'e627e2237f44543d'],
    ['"weft".hash("base64")', 'd2VmdA=='],
    ['"weft".hash("sha3").length', 128],
    ['"wärme".base64Encode().base64Decode()', 'wärme'],
    ['"weft".hash(null)', 'e153e1f0af33f12922976c5d0d2ee47b'],
    ['"weft".hash(5)', undefined],
    ['"weft".quote("")', undefined],
    ['[["2026-03-30".toDateTime(0).day, "2026-03-30".toDateTime(5).isValid]]', [[30, false]]],
    ['"aGV=s bG\\n8".base64Decode() + "Pz8_".base64Decode()', 'hello???'],
    ['"a b&c=ä".urlEncode()', 'a%20b%26c%3D%C3%A4'],
    ['"a b&c".urlEncode(true)', 'a%20b&c'],
    ['"a b&c".urlEncode(1) + "a%26".urlDecode("x")', 'a%20b&ca%26'],
    ['"a%20b%26".urlDecode()', 'a b&'],
    ['"%".urlDecode()', undefined],
    ['"12.7 kg".toInt()', 12],
    ['"ff".toInt(16)', 255],
    ['"0x10".toInt() + "010".toInt()', 26],
    ['"€12.70".toNumber()', 12.7],
    ['"12.7".toFloat() + "1.5".toDecimalNumber() + "3".toWholeNumber()', 17.2],
    [
      '["false", "No", "0", "", "0.0", " ", "yes", "x", "1"].map(t => t.toBoolean())',
      [false, false, false, false, true, true, true, true, true],
    ],
    ['["12", "1e3", " 7 ", "", "x", "1,5"].map(t => t.isNumeric())', [true, true, false, false, false, false]],
    ['"CHF 5".toNumber() + "7 kr".toInt() + "Rp 1.5".toFloat()', 13.5],
    ['"{\\"a\\": [1]}".parseJson().a', [1]],
    ['"say \\"hi\\"".quote()', '"say \\"hi\\""'],
    ['"it\'s".quote("\'")', "'it\\'s'"],
    ['"x".toJsonString()', '"x"'],
    ['"the QUICK brown. fox? yes".toSentenceCase()', 'The quick brown. Fox? Yes'],
    ['"Hello big World-wide".toSnakeCase()', 'hello_big_world_wide'],
    ['"<p>one</p> 2. two".toSentenceCase()', '<P>one</p> 2. Two'],
    ['"the lord of the rings".toTitleCase()', 'The Lord of the Rings'],
    ['"déjà vu".replaceSpecialChars()', 'deja vu'],
    ['"<p>one <b>two</b></p> three < four".removeTags()', 'one two three '],
    [
      '"# Title\\n\\n* **bold** and _thin_ [here](https://weft.example) `code` ~~gone~~\\n1. one\\n> ' +
        'said".removeMarkdown()',
      'Title\n\nbold and thin here code gone\none\n said',
    ],
    [
      '["**b**", "![alt](u) x > y", "1. a\\n* b", "T\\n===\\n__ok__"].map(t => t.removeMarkdown())',
      ['*b*', ' x  y', 'a\nb', 'T\n\nok'],
    ],
    ['"write to a.b+c@mail.weft.example, please".extractEmail()', 'a.b+c@mail.weft.example'],
    ['"nobody@home @ all".extractEmail()', undefined],
    ['"see https://weft.example/a?b=1#c now".extractUrl()', 'https://weft.example/a?b=1#c'],
    ['"see weft.example".extractUrl()', undefined],
    ['"https://user@sub.weft.example:81/x".extractDomain()', 'sub.weft.example'],
    ['"me@weft.example".extractDomain()', 'weft.example'],
    ['"no domain here".extractDomain()', undefined],
    [
      '["localhost", "https://my_host.example.com:8/a?b#c", "//cdn.example.com", "1.2.3.4", "me@[1.2.3.4]", ' +
        '"<me@example.com>"].map(t => t.extractDomain())',
      ['localhost', 'my_host.example.com', 'cdn.example.com', '1.2.3.4', '[1.2.3.4]', 'example.com'],
    ],
    [
      '["https://a.b", "file://x.com/y", "wss://a.example.com", "https://example"].map(t => [t.extractDomain(), ' +
        't.extractUrl(), t.isUrl()])',
      [
        [undefined, undefined, false],
        [undefined, undefined, false],
        [undefined, undefined, false],
        [undefined, undefined, false],
      ],
    ],
    ['["http://localhost", "HTTP://1.2.3.4:80/p?q", "ftp://x_y.example.com"].map(t => t.isUrl())', [true, true, true]],
    [
      '["a b@c.example.com", "\\"q\\"@x.example.com", "a@b.c"].map(t => t.extractEmail())',
      ['b@c.example.com', '"q"@x.example.com', undefined],
    ],
    ['"https://weft.example/a/b?c".extractUrlPath()', '/a/b'],
    [
      '["https://weft.example", "weft.example", "https://", "ftp://x/y z"].map(t => t.isUrl())',
      [true, false, false, false],
    ],
    [
      '["weft.example", "a.b.c.io", "weft", "-a.io", "a..io", "a b.io"].map(t => t.isDomain())',
      [true, true, false, true, false, false],
    ],
    ['["localhost:3000/x", "my_host.example.com", "1.2.3.4", "a.b"].map(t => t.isDomain())', [true, true, true, false]],
    [
      '["a@weft.example", "a b@weft.example", "a@weft", "@weft.example"].map(t => t.isEmail())',
      [true, false, false, false],
    ],
    ['"2026-03-30".toDateTime().toISO()', '2026-03-30T00:00:00.000+02:00'],
    ['"30/03/2026 18:49".toDateTime("dd/MM/yyyy HH:mm").toISO()', '2026-03-30T18:49:00.000+02:00'],
    ['"2026-03-30T18:49:00-05:00".toDateTime().toISO()', '2026-03-30T18:49:00.000-05:00'],
    ['"Mon, 30 Mar 2026 18:49:00 GMT".toDateTime().toMillis()', 1_774_896_540_000],
    ['"2026-03-30 18:49:00".toDateTime().hour', 18],
    ['"March 30, 2026".toDateTime().toISODate()', '2026-03-30'],
    ['"1774896540".toDateTime("s").toMillis()', 1_774_896_540_000],
    ['"2026-03-30".toDate().toISOString()', '2026-03-29T22:00:00.000Z'],
    ['"2026-03-30T10:00:00.000Z".format("HH:mm")', '12:00'],
    ['"2026-03-30T10:00:00.000Z".plus(1, "day").toISOString()', '2026-03-31T10:00:00.000Z'],
  ],
  'a number': [
    ['(-1.5).abs() + (1.2).ceil() + (1.8).floor()', 4.5],
    ['[(2.5).round(), (-2.5).round(), (1.256).round(1), (1.256).round(2)]', [3, -3, 1.3, 1.26]],
    ['(5).round(-1)', undefined],
    ['[(-4.5).toInt(), (4.5).toInt()]', [-5, 5]],
    ['(Infinity).toDateTime("s").isValid', false],
    ['[(3).isOdd(), (4).isEven(), (-3).isOdd(), (4.2).isInteger()]', [true, true, true, false]],
    ['(1234.5).format()', '1,234.5'],
    ['(1234.5).format("de-DE", { style: "currency", currency: "EUR" })', '1.234,50\u00a0€'],
    ['(1234.5).toLocaleString()', '1,234.5'],
    ['(0).toBoolean()', false],
    ['(7.6).toInt() + (7.5).toFloat()', 15.5],
    [
      '[0, NaN, 5].map(n => [n.isEmpty(), n.isNotEmpty()])',
      [
        [true, false],
        [true, false],
        [false, true],
      ],
    ],
    ['[(1234.5).format(5), (1234.5).format(true)]', ['1,234.5', '1,234.5']],
    ['(1234.5).format(null)', undefined],
    ['(1774896540).toDateTime("s").toISO()', '2026-03-30T20:49:00.000+02:00'],
    ['(1774896540000).toDateTime().toISO()', '2026-03-30T20:49:00.000+02:00'],
    ['(46111.5).toDateTime("excel").toUTC().toISO()', '2026-03-30T12:00:00.000Z'],
  ],
  'a boolean': [
    [
      '[true.toInt(), false.toFloat(), true.toNumber(), false.toBoolean(), true.toDateTime()]',
      [1, 0, 1, false, undefined],
    ],
    ['[false.isEmpty(), true.isEmpty(), false.isNotEmpty()]', [true, false, false]],
  ],
  'a list': [
    ['[1, 2].append(3, [4])', [1, 2, 3, [4]]],
    ['[1, 2, 6].average() + [1, 2].sum() + [4, 9].max() - [4, 9].min()', 11],
    ['[1, 2, 3, 4, 5].chunk(2)', [[1, 2], [3, 4], [5]]],
    ['[0, null, "", undefined, "nil", { a: null, b: { c: "" }, d: 1 }, false].compact()', [0, { b: {}, d: 1 }, false]],
    ['[[], {}, 1, { a: [], b: [null, 2] }].compact()', [1, { b: { 1: 2 } }]],
    ['[1, 2, 3].chunk(1.5)', [[1], [2, 3]]],
    [
      '(() => { const list = [1, 2]; return [list.reverse(), list] })()',
      [
        [2, 1],
        [1, 2],
      ],
    ],
    ['[{ a: 1 }, 5, { b: 1 }].mergeIntoObject([{ a: 9, b: 2 }, { c: 3 }])', { a: 1, b: 1, c: 3 }],
    ['[1, { a: 1 }, 3].difference([{ a: 1 }, 3])', [1]],
    ['[1, { a: 1 }, 3].intersection([{ a: 1 }, 3, 4])', [{ a: 1 }, 3]],
    ['[1, 2].union([2, { a: 1 }, { a: 1 }])', [1, 2, { a: 1 }]],
    ['[[1, 2].first(), [1, 2].last(), [].first(), [1, 2].length()]', [1, 2, undefined, 2]],
    ['[[].isEmpty(), [0].isNotEmpty()]', [true, true]],
    ['[{ a: 1 }, 5, { a: 2, b: 3 }].merge()', { a: 1, b: 3 }],
    ['[{ a: 1 }].merge([{ a: 9, b: 2 }])', { a: 1, b: 2 }],
    ['[{ n: 1 }, { m: 2 }, "x", { n: 3 }].pluck("n")', [1, 3]],
    ['[{ n: 1, m: 2 }, { m: 3 }, { m: 5, n: 4 }].pluck("n", "m")', [[1, 2], 3, [5, 4]]],
    ['[7].randomItem()', 7],
    ['[1, "1", 1, { a: 1 }, { a: 1 }].removeDuplicates()', [1, '1', { a: 1 }]],
    ['[{ a: 1, b: 1 }, { a: 1, b: 2 }].unique("a")', [{ a: 1, b: 1 }]],
    ['[{ a: 1, b: 1 }, { a: 1, b: 2 }].removeDuplicates("a", "b").length', 2],
    ['[{ a: 1 }, { a: 2 }, 3].unique("a, b")', [{ a: 1 }, 3]],
    ['[[[5]].pluck(0), [null].merge([{ a: 1 }]), [null].merge([null])]', undefined],
    ['[[[5], { 0: 1 }].pluck(0), [null].merge([{ a: 1 }])]', [[], { a: 1 }]],
    ['[{ a: 1, b: 2 }, 3].renameKeys("a", "x", "b", "y")', [{ x: 1, y: 2 }, 3]],
    ['[{ a: 1, b: 2 }, [7]].renameKeys("a", "b")', [{ b: 1 }, { 0: 7 }]],
    ['[[1], [2]].unique("a")', [[1]]],
    ['[{ k: "a", v: 1 }, { k: "b", v: 2 }, { k: "c" }].smartJoin("k", "v")', { a: 1, b: 2 }],
    ['[{ a: [1] }].toJsonString()', '[{"a":[1]}]'],
    ['[[1].toInt(), [1].toFloat(), [1].toBoolean(), [1].toDateTime()]', [undefined, undefined, undefined, undefined]],
  ],
  'an object': [
    ['({ a: null, b: "", c: 0, d: { e: undefined, f: 1 } }).compact()', { c: 0, d: { f: 1 } }],
    ['({ a: 1 }).hasField("a") && !({ a: 1 }).hasField("toString")', true],
    ['[({}).isEmpty(), ({ a: 1 }).isNotEmpty()]', [true, true]],
    ['({ a: "one two", b: "three", c: 1 }).keepFieldsContaining("two")', { a: 'one two' }],
    ['({ a: "one two", b: "three", c: 1 }).removeFieldsContaining("two")', { b: 'three', c: 1 }],
    ['({ a: 1, b: 2 }).removeField("a")', { b: 2 }],
    ['[({ a: 1 }).keys(), ({ a: 1 }).values()]', [['a'], [1]]],
    ['({ a: 1, b: 2 }).merge({ b: 9, c: 3 })', { a: 1, b: 2, c: 3 }],
    ['({ a: "x y", b: [1, 2] }).urlEncode()', 'a=x+y&b=1%2C2'],
    ['({ a: { b: 1 } }).toJsonString()', '{"a":{"b":1}}'],
    ['({ keys: () => "own" }).keys() + ({ values: "field" }).values()', 'ownfield'],
  ],
  'a date': [
    ['new Date(2026, 0, 20).beginningOf("month").toISOString()', '2025-12-31T23:00:00.000Z'],
    ['DateTime.local(2026, 1, 20).beginningOf().toISODate()', '2026-01-19'],
    ['DateTime.local(2026, 2, 5).endOfMonth().toISODate()', '2026-02-28'],
    [
      '["year", "month", "day", "hour", "week", "yearDayNumber"].map(part => DateTime.local(2026, 3, 30, ' +
        '18).extract(part))',
      [2026, 3, 30, 18, 14, 89],
    ],
    [
      '["years", "mins", "ms", "weeks", "nothing"].map(part => DateTime.local(2026, 3, 30, 18, 5).extract(part))',
      [2026, 5, 0, undefined, undefined],
    ],
    ['DateTime.local(2026, 1, 20, 18, 5).beginningOf("hr").toISO()', '2026-01-20T18:00:00.000+01:00'],
    ['new Date(2026, 2, 30, 18, 5).format("dd.MM.yyyy HH:mm")', '30.03.2026 18:05'],
    ['$now.format("yyyy")', '2026'],
    ['[$now.plus().equals($now), $now.isInLast(), $now.diffTo(undefined)]', [true, true, NaN]],
    ...['beginningOf("fortnight")', 'beginningOf(null)', 'format()', 'format(["yyyy"])'].map(
      (call): [string, undefined] => [`$now.${call}`, undefined],
    ),
    ...['plus(null)', 'minus("x")', 'plus("x", "days")', 'plus(1, "fortnights")', 'isInLast({})'].map(
      (call): [string, undefined] => [`$now.${call}`, undefined],
    ),
    ['[$now.plus("2", "days").diffTo($now), $now.plus(1000).diffTo($now, "seconds")]', [2, 1]],
    ['DateTime.local(2026, 3, 8).format("d LLLL", { locale: "fr" }) + $now.format(5)', '8 mars'],
    ['[DateTime.invalid("x").format(), DateTime.invalid("x").beginningOf(5).isValid]', ['Invalid DateTime', false]],
    [
      '[$now.extract("zoneName"), $now.extract("constructor"), $now.extract(5)]',
      ['Europe/Berlin', undefined, undefined],
    ],
    ['[$now.diffTo(0), $now.diffTo($now, []), $now.diffTo($now, "")]', undefined],
    ['[$now.diffTo(0), $now.diffTo($now, [])]', [NaN, 0]],
    [
      'DateTime.fromISO("2026-03-01T00:30").isBetween("2026-03-01", "2026-03-02")',
      // A date alone begins at midnight UTC, half an hour later.
      false,
    ],
    ['"31/31/2026".toDateTime("dd/MM/yyyy").isValid', false],
    [
      '[$now.isBetween("2026-03-01", "2026-04-01"), $now.isBetween("2026-04-01", "2026-03-01"), ' +
        '$now.isBetween("2026-04-01", "2026-05-01")]',
      [true, true, false],
    ],
    ['$now.isBetween("whenever", $now)', undefined],
    ['[DateTime.local(2026, 7, 1).isDst(), DateTime.local(2026, 1, 1).isDst()]', [true, false]],
    ['[DateTime.local(2026, 3, 7).isWeekend(), DateTime.local(2026, 3, 9).isWeekend()]', [true, false]],
    [
      '[$now.minus({ minutes: 5 }).isInLast(10, "minutes"), $now.minus({ minutes: 15 }).isInLast(10), ' +
        '$now.minus({ hours: 20 }).toJSDate().isInLast(1, "day")]',
      [true, false, true],
    ],
    [
      'new Date(0).plus(2, "days").toISOString() + new Date(0).minus({ hours: 1 }).getTime()',
      '1970-01-03T00:00:00.000Z-3600000',
    ],
    [
      '[$now.diffTo("2026-03-08T11:30", "days"), $now.diffTo($now.minus(90, "minutes"), "hour"), $now.diffTo($now)]',
      [1, 1.5, 0],
    ],
    ['$now.diffTo("2026-01-08T11:30", ["months", "days"])', { months: 2, days: 1 }],
    ['$now.minus(3, "days").diffToNow("days")', -3],
    [
      '[new Date(5).toInt(), new Date(5).toFloat(), new Date(5).toBoolean(), new Date(5).toDateTime().toMillis()]',
      [5, 5, undefined, 5],
    ],
  ],
  nothing: [
    ['[undefined.isEmpty(), null.isEmpty(), $json.gone.isNotEmpty()]', [true, true, false]],
    ['$json.gone?.toTitleCase()', undefined],
  ],
};

for (const [type, rows] of Object.entries(cases)) {
  describe(`the methods that expressions add to ${type}`, () => {
    it.each(rows)('%s', (body, value) => {
      expect(bodyValue(body, BERLIN)).toEqual(value);
    });
  });
}

describe('such a method in a wrong place', () => {
  it.each([
    ['[1].toTitleCase()', 'toTitleCase() is only callable on type "String"'],
    ['(5).chunk(2)', 'chunk() is only callable on type "Array"'],
    ['$json.gone.toTitleCase()', "toTitleCase can't be used on undefined value"],
    ['null.chunk(1)', "chunk can't be used on null value"],
    ['[1, "x"].sum()', 'sum(): all array elements must be numbers'],
    ['[1].chunk(0)', 'chunk(): expected non-zero numeric arg'],
    ['[1].union(2)', 'union(): expected array arg'],
    ['"x".hash("md9")', 'Unknown algorithm md9'],
    ['"x".hash("ripemd160")', 'Unknown algorithm ripemd160'],
    ['"no".parseJson()', 'Parsing failed'],
    ['"no".toInt()', 'cannot convert to integer'],
    ['"1,5".toFloat()', 'cannot convert to float, expected . as decimal separator'],
    ['[1].mergeIntoObject()', 'mergeIntoObject(): expected array arg'],
    ['"no".toDateTime()', 'cannot convert to Luxon DateTime'],
    ['(1.5).isEven()', 'is only callable on integers'],
    ['(5).toNumber()', 'toNumber() is only callable on type'],
    ['(5).toDateTime("weeks")', "Unsupported format 'weeks'"],
    ['({ a: 1 }).merge(1)', 'merge(): expected object arg'],
    ['({ a: "x" }).keepFieldsContaining("")', 'expected non-empty string arg'],
    ['$now.diffTo("whenever")', 'cannot convert to Luxon DateTime'],
    ['$now.diffTo($now, "fortnights")', "Unsupported unit 'fortnights'"],
    ['$now.diffToNow("ms")', "Unsupported unit 'ms'"],
    ['(5).toDateTime(null)', "Unsupported format 'null'"],
    ['"2026".toDateTime(["yyyy"])', 'a format must be a string'],
    ['$now.isBetween("2026")', 'expected exactly two args'],
    ['zip([1], [])', 'arrays of equal length'],
  ])('%s fails with a clear error', (body, message) => {
    const error = errorOf(`={{ ${body} }}`, BERLIN);
    expect(error.type).toBe('type');
    expect(error.message).toContain(message);
  });

  it('can be caught', () => {
    expect(bodyValue('(() => { try { return "x".toInt() } catch { return 0 } })()')).toBe(0);
  });
});
