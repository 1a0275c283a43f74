import type { DateTime } from 'luxon';

/** Tokens of the older date formats that have a luxon equivalent, with that token. */
const LUXON_TOKENS: ReadonlyMap<string, string> = new Map([
  ['M', 'L'],
  ['MM', 'LL'],
  ['MMM', 'LLL'],
  ['MMMM', 'LLLL'],
  ['Q', 'q'],
  ['D', 'd'],
  ['DD', 'dd'],
  ['DDD', 'o'],
  ['DDDD', 'ooo'],
  ['ddd', 'ccc'],
  ['dddd', 'cccc'],
  ['E', 'c'],
  ['W', 'W'],
  ['WW', 'WW'],
  ['YY', 'yy'],
  ['YYYY', 'yyyy'],
  ['Y', 'y'],
  ['GGGG', 'kkkk'],
  ['GG', 'kk'],
  ['gggg', 'kkkk'],
  ['gg', 'kk'],
  ['w', 'W'],
  ['ww', 'WW'],
  ['A', 'a'],
  ['H', 'H'],
  ['HH', 'HH'],
  ['h', 'h'],
  ['hh', 'hh'],
  ['m', 'm'],
  ['mm', 'mm'],
  ['s', 's'],
  ['ss', 'ss'],
  ['SSS', 'SSS'],
  ['z', 'ZZZZ'],
  ['zz', 'ZZZZ'],
  ['Z', 'ZZ'],
  ['ZZ', 'ZZZ'],
  ['X', 'X'],
  ['x', 'x'],
  ['LT', 't'],
  ['LTS', 'tt'],
  ['L', 'LL/dd/yyyy'],
  ['LL', 'LLLL d, yyyy'],
  ['LLL', 'LLLL d, yyyy t'],
  ['LLLL', 'cccc, LLLL d, yyyy t'],
  ['l', 'L/d/yyyy'],
  ['ll', 'LLL d, yyyy'],
  ['lll', 'LLL d, yyyy t'],
  ['llll', 'ccc, LLL d, yyyy t'],
]);

/** Tokens without a luxon equivalent. */
const OWN_TOKENS: ReadonlyMap<string, (date: DateTime) => string> = new Map<string, (date: DateTime) => string>([
  ['Mo', (date) => ordinal(date.month)],
  ['Qo', (date) => ordinal(date.quarter)],
  ['Do', (date) => ordinal(date.day)],
  ['DDDo', (date) => ordinal(date.ordinal)],
  ['do', (date) => ordinal(date.weekday % 7)],
  ['d', (date) => String(date.weekday % 7)],
  ['e', (date) => String(date.weekday % 7)],
  ['dd', (date) => date.toFormat('ccc').slice(0, 2)],
  ['wo', (date) => ordinal(date.weekNumber)],
  ['Wo', (date) => ordinal(date.weekNumber)],
  ['a', (date) => date.toFormat('a').toLowerCase()],
  ['k', (date) => String(date.hour === 0 ? 24 : date.hour)],
  ['kk', (date) => String(date.hour === 0 ? 24 : date.hour).padStart(2, '0')],
  ['S', (date) => date.toFormat('SSS').slice(0, 1)],
  ['SS', (date) => date.toFormat('SSS').slice(0, 2)],
]);

/** Texts in brackets are literal, and so is everything that is not a token. */
const TOKEN = new RegExp(
  '\\[[^\\]]*\\]|LTS|LT|L{1,4}|l{1,4}|Mo|MM?M?M?|Qo|Q|DDDo|Do|DD?D?D?|do|dd?d?d?|e|E|wo|ww|w|Wo|WW|W|' +
    'YYYY|YY|Y|gggg|gg|GGGG|GG|A|a|HH?|hh?|kk?|mm?|ss?|S+|zz?|ZZ?|X|x',
  'g',
);

/** Numbers that may be shorter in a string than the format says. */
const LENIENT: ReadonlyMap<string, string> = new Map([
  ['LL', 'L'],
  ['dd', 'd'],
  ['HH', 'H'],
  ['hh', 'h'],
  ['mm', 'm'],
  ['ss', 's'],
]);

/** A date in a format such as `YYYY-MM-DD`: the tokens of version 1 of the node. Names are English. */
export function formatWithTokens(date: DateTime, format: string): string {
  const english = date.setLocale('en-US');
  return format.replace(TOKEN, (token) => {
    if (token.startsWith('[')) return token.slice(1, -1);
    const own = OWN_TOKENS.get(token);
    if (own !== undefined) return own(english);
    const fraction = /^S{4,}$/.test(token) ? english.toFormat('SSS').padEnd(token.length, '0') : undefined;
    const luxon = LUXON_TOKENS.get(token);
    return fraction ?? (luxon === undefined ? token : english.toFormat(luxon));
  });
}

/** The luxon format for reading a string in such a format. */
export function readingFormat(format: string): string {
  let result = '';
  let end = 0;
  for (const match of format.matchAll(TOKEN)) {
    result += quoted(format.slice(end, match.index)) + readingToken(match[0]);
    end = match.index + match[0].length;
  }
  return result + quoted(format.slice(end));
}

function readingToken(token: string): string {
  if (token.startsWith('[')) return quoted(token.slice(1, -1));
  if (token === 'a') return 'a';
  const luxon = LUXON_TOKENS.get(token);
  return luxon === undefined ? quoted(token) : (LENIENT.get(luxon) ?? luxon);
}

/** Only letters have a special meaning in luxon. */
function quoted(text: string): string {
  return text.replace(/[a-z]+/gi, (letters) => `'${letters}'`);
}

function ordinal(value: number): string {
  const tens = value % 100;
  const ending = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
  return `${value}${ending}`;
}
