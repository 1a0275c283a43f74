import { randomBytes } from 'node:crypto';

/** A planted secret that was found where it must not be. */
export interface Found {
  readonly place: string;
  readonly form: string;
  /** The text around it. */
  readonly around: string;
}

/** Secrets of a test, and the search for them. */
export interface Canaries {
  /** A new secret with characters that addresses and JSON escape. @param name said in failures */
  readonly plant: (name: string) => string;
  /** A new secret of letters and digits alone. */
  readonly plantWord: (name: string) => string;
  /** A new secret in Base32. */
  readonly plantBase32: () => string;
  /** Adds a secret made elsewhere to the search. */
  readonly add: (name: string, secret: string) => void;
  readonly findIn: (place: string, content: string | Buffer) => readonly Found[];
}

/** Part of every secret, so that one search finds them all. Its letters are Base32 digits as well. */
const MARKER = 'canaryqz';
const AROUND = 80;
/** Letters of a Base64 text that do not depend on the text before and after them. */
const ALIGNMENTS = [0, 1, 2] as const;

/** The forms of a text within a longer text in Base64, wherever it begins in it. */
const base64Forms = (text: string): string[] =>
  ALIGNMENTS.map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
    const whole = Math.floor((bytes.length * 8) / 6);
    return bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), whole);
  });

/** Forms that are searched for in any case. */
const anyCaseForms = (text: string): [string, string][] => [
  ['plain', text],
  ['URL-encoded', encodeURIComponent(text)],
  ['JSON-escaped', JSON.stringify(text).slice(1, -1)],
  ['hexadecimal', Buffer.from(text).toString('hex')],
];

/** Creates an empty collection. */
export const createCanaries = (): Canaries => {
  const anyCase = new Map<string, string>();
  const exact = new Map<string, string>();
  const add = (name: string, secret: string): void => {
    // A secret without special characters is the same in several forms: it gets the name of the first.
    for (const [form, text] of anyCaseForms(secret).toReversed()) anyCase.set(text.toLowerCase(), `${name}, ${form}`);
    for (const text of base64Forms(secret)) {
      exact.set(text.replaceAll('+', '-').replaceAll('/', '_'), `${name}, Base64 for addresses`);
      exact.set(text, `${name}, Base64`);
    }
  };
  add('planted', MARKER);
  const word = (name: string): string => `${name.replaceAll(/\W/g, '')}0${MARKER}${randomBytes(8).toString('hex')}`;
  return {
    plant: (name) => `${word(name)}/+&"%=`,
    plantWord: word,
    plantBase32: () => `${MARKER}${MARKER}ABCDEFGH`.toUpperCase(),
    add,
    findIn: (place, content) => {
      const text = typeof content === 'string' ? content : content.toString('latin1');
      const lower = text.toLowerCase();
      const found = (haystack: string, forms: ReadonlyMap<string, string>): Found[] =>
        [...forms].flatMap(([form, name]) => {
          const at = haystack.indexOf(form);
          return at < 0
            ? []
            : [{ place, form: name, around: text.slice(Math.max(0, at - AROUND), at + form.length + AROUND) }];
        });
      return [...found(lower, anyCase), ...found(text, exact)];
    },
  };
};
