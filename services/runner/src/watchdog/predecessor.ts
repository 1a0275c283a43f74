import { isObject } from '@weft/service-kit/json';
import { type BlamedVersion, readBlamedVersions } from '../domain/claims/shares/blamed-runs';
import { type EndedTurn, parsed, readEndedTurn } from './ended-turn';
import { isProcessName, type ProcessName } from './process-name';

/** Facts that a runner passes on to the program that replaces it. */
export interface PassedOn {
  /** Number of ends by the watchdog, by process. */
  readonly ends: Readonly<Partial<Record<ProcessName, number>>>;
  readonly blamed: readonly BlamedVersion[];
}

/** The program of this process before a watchdog replaced it. */
export interface Predecessor extends PassedOn {
  /** The turn that ended it. */
  readonly ended: EndedTurn;
}

const readEnds = (value: unknown): PassedOn['ends'] =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter(([name, count]) => isProcessName(name) && typeof count === 'number'),
      )
    : {};

/** @param argument of this program; undefined, or not from a watchdog: it was started by something else */
export const readPredecessor = (argument: string | undefined): Predecessor | undefined => {
  const value = parsed(argument ?? '');
  const ended = isObject(value) ? readEndedTurn(value['ended']) : undefined;
  if (!isObject(value) || ended === undefined) return undefined;
  const passedOn = isObject(value['passedOn']) ? value['passedOn'] : {};
  return { ended, ends: readEnds(passedOn['ends']), blamed: readBlamedVersions(passedOn['blamed']) };
};
