import type { AppDocument } from '@weft/app-model';
import type { Json } from '@weft/node-catalogue';
import {
  letOf,
  pagesOf,
  type PreparedLet,
  type PreparedPages,
  type PreparedRefusal,
  type PreparedRequest,
  type PreparedStep,
  refusalsOf,
  requestOf,
  stepsOf,
} from '../prepare-request';
import { Template } from '../template';

/** A list of options, ready to be fetched. */
export interface PreparedList {
  readonly let: PreparedLet;
  readonly refuse: readonly PreparedRefusal[];
  readonly steps: readonly PreparedStep[];
  readonly request: PreparedRequest;
  readonly pages: PreparedPages | undefined;
  /** A path into the response body, or a template that gives an array. */
  readonly entries: Template | string;
  /** A path into the entry, or a template that reads `$entry`. */
  readonly label: Template | string;
  readonly value: Template | string;
  /** True if the entries are searched here, and not by the service. */
  readonly isSearchedHere: boolean;
}

/** Prepares a list of an app; undefined if it has none with the name. */
export function prepareList(app: AppDocument, name: string): PreparedList | undefined {
  const list = app.lists !== undefined && Object.hasOwn(app.lists, name) ? app.lists[name] : undefined;
  if (list === undefined) return undefined;
  const path = `${app.name}: lists.${name}`;
  const make = (value: Json, place: string): Template => new Template(value, place);
  const pathOr = (text: string, place: string): Template | string =>
    text.startsWith('=') ? make(text, `${path}.${place}`) : text;
  return {
    let: letOf(list.let, `${path}.let`),
    refuse: refusalsOf(list.refuse, path, make),
    steps: stepsOf(app, list.steps, path, make),
    request: requestOf(app, list.call, list, path, make),
    pages: pagesOf(app, list.pages),
    entries: pathOr(list.list, 'list'),
    label: pathOr(list.label, 'label'),
    value: pathOr(list.value, 'value'),
    isSearchedHere: list.search === 'here',
  };
}
