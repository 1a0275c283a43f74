import { JsonScanner, type ScanListener } from './json-scanner';

/** A page of the items of one output of a node run. */
export interface ItemPage {
  /** Number of the output, from 0. */
  readonly output: number;
  /** Items before the page. */
  readonly offset: number;
  readonly limit: number;
  /** A longer item is truncated. */
  readonly maxItemBytes: number;
}

/** Bytes of a truncated item that are shown. */
const SHOWN_BYTES = 4 * 1024;

/** Bytes of a member of a record that is shown next to its items. */
const MAX_MEMBER_BYTES = 64 * 1024;

/** Members of a record that are not shown next to its items: the position is known already. */
const OMITTED: ReadonlySet<string> = new Set(['data', 'executionIndex']);

/** Depth of the items in a record: `{"data":{"main":[[item, …], …]}}`. A sub-node has its type in place of `main`. */
const ITEM_DEPTH = 5;
const OUTPUT_DEPTH = ITEM_DEPTH - 1;
const TYPE_DEPTH = OUTPUT_DEPTH - 1;
const DATA_DEPTH = TYPE_DEPTH - 1;

/** Types of connection of items: a record has those of one. */
const isConnectionType = (key: string): boolean => key === 'main' || key.startsWith('ai_');

/** Text of the first bytes, without a character that is cut off. */
const beginningOf = (bytes: Buffer): string => {
  const text = bytes.subarray(0, SHOWN_BYTES).toString('utf8');
  return bytes.length > SHOWN_BYTES ? text.replace(/\uFFFD{1,3}$/u, '') : text;
};

/** Collects a part of the text that may be spread over pieces: all bytes up to a maximum, then only the first ones. */
class Part {
  #held: Buffer[] = [];
  #heldBytes = 0;
  bytes = 0;

  constructor(private readonly maxBytes: number) {}

  add(bytes: Buffer): void {
    this.bytes += bytes.length;
    const left = Math.max(this.maxBytes, SHOWN_BYTES + 1) - this.#heldBytes;
    if (left <= 0 || bytes.length === 0) return;
    // A copy: the piece is not kept in memory.
    const copy = Buffer.from(bytes.subarray(0, left));
    this.#held.push(copy);
    this.#heldBytes += copy.length;
  }

  get isTruncated(): boolean {
    return this.bytes > this.maxBytes;
  }

  get held(): Buffer {
    return Buffer.concat(this.#held);
  }
}

const SPACE = 0x20;

/** True if there is nothing but spaces. Stops at the first other byte. */
const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte <= SPACE);

const truncated = (part: Part): string =>
  JSON.stringify({ truncated: true, bytes: part.bytes, text: beginningOf(part.held) });

/** JSON of a member, which was collected from behind its key. */
const memberJson = (member: Part): string => {
  if (member.isTruncated) return JSON.stringify({ truncated: true, bytes: member.bytes });
  const text = member.held.toString('utf8');
  return text.slice(text.indexOf(':') + 1);
};

/**
 * Cuts items, their numbers and the other members out of the record of a node run, which arrives in pieces. Nothing is
 * parsed, and nothing is kept but the current item.
 */
export class RecordCutter {
  readonly #scanner: JsonScanner;
  #piece: Buffer = Buffer.alloc(0);
  #expectsKey = false;
  #keyFrom: number | undefined;
  #key = '';
  #isInData = false;
  #isInType = false;
  #output = 0;
  #index = 0;
  /** Where the current item begins in the piece; undefined: in an earlier one. */
  #itemFrom: number | undefined;
  #isInOutput = false;
  /** True while the current item had only spaces. */
  #isBlank = true;
  #item: Part | undefined;
  #member: Part | undefined;
  #memberFrom = 0;
  readonly #items: Buffer[] = [];
  readonly #members: string[] = [];
  /** Number of items of each output. */
  readonly counts: number[] = [];

  /** @param page absent: no items, but the other members */
  constructor(private readonly page?: ItemPage) {
    const listener: ScanListener = {
      opened: (at, depth) => this.#opened(at, depth),
      closed: (at, depth) => this.#closed(at, depth),
      separated: (at, depth) => this.#separated(at, depth),
      quoted: (at, depth) => this.#quoted(at, depth),
    };
    this.#scanner = new JsonScanner(OUTPUT_DEPTH, listener);
  }

  /** Scans the next piece. @returns the items of the page that end in it, as JSON */
  write(piece: Buffer): readonly Buffer[] {
    this.#piece = piece;
    if (this.#isInOutput) this.#itemFrom = undefined;
    this.#memberFrom = 0;
    this.#scanner.write(piece);
    if (this.#keyFrom !== undefined) {
      this.#key += piece.toString('latin1', this.#keyFrom);
      this.#keyFrom = 0;
    }
    if (this.#isInOutput) this.#isBlank &&= isBlank(piece.subarray(this.#itemFrom ?? 0));
    this.#item?.add(piece.subarray(this.#itemFrom ?? 0));
    this.#member?.add(piece.subarray(this.#memberFrom));
    this.#piece = Buffer.alloc(0);
    return this.#items.splice(0);
  }

  /** The record without its data and its position, as JSON: long members are truncated. */
  get restJson(): string {
    return `{${this.#members.join(',')}}`;
  }

  #quoted(at: number, depth: number): void {
    if (depth !== 1 && !(depth === DATA_DEPTH && this.#isInData)) return;
    if (this.#keyFrom !== undefined) {
      this.#key += this.#piece.toString('latin1', this.#keyFrom, at);
      this.#keyFrom = undefined;
      if (depth === 1 && !OMITTED.has(this.#key) && this.page === undefined) this.#beginMember(at + 1);
    } else if (this.#expectsKey) {
      this.#expectsKey = false;
      this.#key = '';
      this.#keyFrom = at + 1;
    }
  }

  #opened(at: number, depth: number): void {
    if (depth === 1) this.#expectsKey = true;
    else if (depth === DATA_DEPTH) this.#expectsKey = this.#isInData = this.#key === 'data';
    else if (depth === TYPE_DEPTH) {
      this.#isInType = this.#isInData && isConnectionType(this.#key);
      this.#output = 0;
    } else if (this.#isInType) {
      this.#isInOutput = true;
      this.#index = 0;
      this.counts[this.#output] = 0;
      this.#beginItem(at + 1);
    }
  }

  #closed(at: number, depth: number): void {
    if (depth === OUTPUT_DEPTH) {
      if (this.#isInOutput) this.#endItem(at);
      this.#isInOutput = false;
    } else if (depth === TYPE_DEPTH) this.#isInType = false;
    else if (depth === DATA_DEPTH) this.#isInData = false;
    else this.#endMember(at);
  }

  #separated(at: number, depth: number): void {
    if (depth === 1) {
      this.#endMember(at);
      this.#expectsKey = true;
    } else if (depth === DATA_DEPTH) this.#expectsKey = this.#isInData;
    else if (depth === TYPE_DEPTH) this.#output += 1;
    else if (this.#isInOutput) {
      this.#endItem(at);
      this.#beginItem(at + 1);
    }
  }

  #beginItem(at: number): void {
    const { page } = this;
    this.#itemFrom = at;
    this.#isBlank = true;
    const isWanted =
      page !== undefined &&
      page.output === this.#output &&
      this.#index >= page.offset &&
      this.#index < page.offset + page.limit;
    this.#item = isWanted ? new Part(page.maxItemBytes) : undefined;
  }

  #endItem(at: number): void {
    const from = this.#itemFrom ?? 0;
    // An empty array has no item.
    if (this.#isBlank && isBlank(this.#piece.subarray(from, at))) {
      this.#item = undefined;
      return;
    }
    this.#index += 1;
    this.counts[this.#output] = this.#index;
    const item = this.#item;
    if (item === undefined) return;
    item.add(this.#piece.subarray(from, at));
    this.#items.push(item.isTruncated ? Buffer.from(truncated(item)) : item.held);
    this.#item = undefined;
  }

  #beginMember(at: number): void {
    this.#member = new Part(MAX_MEMBER_BYTES);
    this.#memberFrom = at;
  }

  #endMember(at: number): void {
    const member = this.#member;
    if (member === undefined) return;
    member.add(this.#piece.subarray(this.#memberFrom, at));
    // The bytes of the key were joined as Latin-1, because a piece may end within a character.
    const key = Buffer.from(this.#key, 'latin1').toString('utf8');
    this.#members.push(`"${key}":${memberJson(member)}`);
    this.#member = undefined;
  }
}
