import type { ImapFlow, SearchObject } from 'imapflow';
import type { MailCondition } from './mailbox';

/**
 * Searches the open mailbox of a client: one search for each condition, since the library's queries hold one condition
 * of a kind. @returns UIDs from `fromUid` on, ascending
 */
export async function searchUids(
  client: ImapFlow,
  conditions: readonly MailCondition[],
  fromUid: number,
): Promise<readonly number[]> {
  let found: readonly number[] | undefined;
  for (const condition of conditions) {
    const matches = new Set(await uidsFor(client, condition, fromUid));
    found = found === undefined ? [...matches] : found.filter((uid) => matches.has(uid));
    if (found.length === 0) return [];
  }
  // `n:*` names the last message even if its UID is lower.
  return (found ?? []).filter((uid) => uid >= fromUid).sort((a, b) => a - b);
}

async function uidsFor(client: ImapFlow, condition: MailCondition, fromUid: number): Promise<readonly number[]> {
  switch (condition.kind) {
    case 'not': {
      const [all, matches] = [
        await ask(client, { all: true }, fromUid),
        await uidsFor(client, condition.condition, fromUid),
      ];
      const excluded = new Set(matches);
      return all.filter((uid) => !excluded.has(uid));
    }
    case 'or': {
      const [one, other] = condition.conditions;
      return [...(await uidsFor(client, one, fromUid)), ...(await uidsFor(client, other, fromUid))];
    }
    case 'keyword':
      // The library leaves out keywords that the mailbox does not know: no message has them.
      if (knowsKeyword(client, condition.keyword)) return ask(client, queryOf(condition), fromUid);
      return condition.isSet ? [] : ask(client, { all: true }, fromUid);
    case 'uid': {
      const named = await ask(client, queryOf(condition), 1);
      return named.filter((uid) => uid >= fromUid);
    }
    case 'all':
    case 'flag':
    case 'arrival':
    case 'text':
    case 'header':
    case 'date':
    case 'size':
      return ask(client, queryOf(condition), fromUid);
  }
}

function knowsKeyword(client: ImapFlow, keyword: string): boolean {
  if (client.mailbox === false) return false;
  const { permanentFlags, flags } = client.mailbox;
  const wanted = keyword.toLowerCase();
  return [...(permanentFlags ?? []), ...flags].some((flag) => flag.toLowerCase() === wanted);
}

async function ask(client: ImapFlow, query: SearchObject, fromUid: number): Promise<readonly number[]> {
  const narrowed = fromUid > 1 && query.uid === undefined ? { ...query, uid: `${fromUid}:*` } : query;
  const found = await client.search(narrowed, { uid: true });
  return Array.isArray(found) ? found : [];
}

function queryOf(condition: Exclude<MailCondition, { readonly kind: 'not' | 'or' }>): SearchObject {
  switch (condition.kind) {
    case 'all':
      return { all: true };
    case 'flag':
      return { [condition.flag]: condition.isSet };
    case 'arrival':
      return { [condition.arrival]: true };
    case 'keyword':
      return condition.isSet ? { keyword: condition.keyword } : { unKeyword: condition.keyword };
    case 'text':
      return { [condition.field]: condition.text };
    case 'header':
      return { header: { [condition.name]: condition.text === '' ? true : condition.text } };
    case 'date':
      return { [condition.field]: condition.day };
    case 'size':
      return { [condition.field]: condition.bytes };
    case 'uid':
      return { uid: condition.uids };
  }
}
