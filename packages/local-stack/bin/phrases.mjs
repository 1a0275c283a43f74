const OWNERS = "its|their|his|her|our|my|your|one's";
const FOLLOWING = 'and|or|that|which|with|where|for|in|at|on|once|to|over|is|as|if|by|so|from';
/** "A folder of its own", but not "the path of its own folder". */
const OF_OWN = new RegExp(`\\bof (?:${OWNERS}) own(?=\\W*$|[.,;:)]| (?:${FOLLOWING})\\b)`);

/**
 * Phrases that comments, messages and pages do not use, each with a suggestion. Only phrases that are nearly always
 * wrong are here. Add one when it is gone from the repository.
 */
export const PHRASES = [
  // Clauses as subjects. Questions, headings and "What to do with a mail" are fine.
  [/(?:^|[.:!;] |\*\*|\| |- )What (?!to\b)[a-z][^.!?|]*(?:[.!|]|$)/, 'a noun, as in "Output of the tool"'],
  [OF_OWN, '"separate", "its", or nothing'],
  [/\bby (?:itself|themselves)\b/, '"alone", "automatically", or nothing'],
  [/\bbeside\b/i, '"next to", "alongside", or "under load from"'],
  [/\bwhoever\b/i, '"the caller", "anyone who", or the passive'],
  [/(?<![.\w-])(?:no|some)body\b(?![@.:-])/i, '"no caller", "anyone", "someone", or the passive'],
  [/\bof before\b/, '"of the previous ..."'],
  [/\bthe (?:version|release|one|state|way) before(?=[.,;:)]|$)/, '"the previous ..."'],
  [/\bas ever\b/, '"as before", or nothing'],
  [/\bas it (?:was|were)(?=[.,;:)]|$)/, '"unchanged"'],
  [/\bso many\b(?! that)/, 'N, or "this number of"'],
  [/\bfor so long\b/, 'the time, or "this long"'],
  [/\bfor ever\b/, '"permanently", or "without end"'],
  [/\banew\b/, '"again"'],
  [/\bgo(?:es)? on\b(?! (?:hold|top))/, '"continue"'],
  [/(?<!\b[Tt]here )\b(?:is|are) none\b(?! of)/, '"is not one", or "has none"'],
  [/\btold (?:of|so)\b/, '"reported to"'],
  [/\bin turns\b/, '"alternating with"'],
  [/\btexts\b/, '"strings"'],
  [/(?<!\b(?:of|with|and) (?:\w+ )?)\bdata (?:are|were|have)\b/, '"data is"'],
  [/\bstated\b|\bstates (?:no|none|its)\b/, '"given", "set" or "configured"'],
  [/\b(?:those|one) of (?:it|them|these|those) (?:that|which|who)\b/, 'the name of the thing, not pronouns'],
  [/\bone has that\b|\bthat one has\b/, 'the name of the thing'],
  [/\bsees? to it\b/, '"makes sure"'],
  [/\ball the same\b/i, '"anyway"'],
];

/** Comments that only repeat the name below them. */
export const EMPTY_DOCSTRING = /\/\*\* (?:An?|The|No|Creates?(?: an?| the)?|Returns(?: an?| the)?) \w+\. \*\//;

/** Keeps the phrases of its line and of the next one. The reason is required. */
export const EXCEPTION = /check-text allows: \w/;

/** Pages that are made from strings in the code, where the phrases are found; and this list with its test. */
export const UNCHECKED = [
  /^docs\/(nodes|configuration)\.md$/,
  /^proto\/gen\//,
  /(^|\/)(phrases\.mjs|check-text\.test\.ts)$/,
];

const withoutCode = (text) => text.replace(/`[^`]*`/g, '`').replace(/\$\{[^}]*\}/g, '$');

const COMMENT_LINE = /^\s*(?:\/\*\*?|\*|\/\/) ?(?:@param \w+ |@\w+ )?(.*)$/;
const PIECES = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`|(?:(?<=\s)\/\/|\/\*\*?) (.*)$/g;
const isSentence = (text) => /[a-z],? [a-z]/i.test(text);

/** The prose of a line: a paragraph, a comment, or strings of more than one word; without code in backticks. */
export const proseOf = (file, line) => {
  if (file.endsWith('.md')) return line.startsWith('#') ? [] : [withoutCode(line)];
  if (/\.(?:py|sh|conf)$|Dockerfile$/.test(file)) return [...line.matchAll(/(?:^|\s)# (.*)$/g)].map(([, text]) => text);
  if (/\.(?:yaml|html)$/.test(file)) return [line.trim().replace(/^# /, '')];
  const comment = COMMENT_LINE.exec(line);
  if (comment !== null) return [withoutCode(comment[1])];
  return [...line.matchAll(PIECES)].flatMap(([, single, double, template, text]) => {
    const string = single ?? double ?? template;
    if (string === undefined) return [withoutCode(text)];
    return isSentence(string) ? [string.replace(/\$\{[^}]*\}/g, '$')] : [];
  });
};
