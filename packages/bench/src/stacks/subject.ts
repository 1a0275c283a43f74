import type { Report } from '@weft/local-stack';
import { resolve } from 'node:path';
import type { Api } from '../api';
import type { Arrangement } from '../arrangements/arrange';
import type { StackFacts } from './stack-messages';
import type { StackProcess } from './stack-process';

/** A program to be started and measured. */
export interface SubjectPlan {
  /** Its column in the result. */
  readonly name: string;
  readonly kind: 'weft' | 'n8n';
  /** Absolute path of a checkout of Weft, or of the folder in which another program is installed. */
  readonly folder: string;
  /** Number of processes by service; one each by default. */
  readonly replicas: Readonly<Record<string, number>>;
  /** Absent: services call in plain text, metrics are counted and not scraped, and no traces are recorded. */
  readonly arrangement?: Arrangement;
}

/** A program under test, or one of the states of a stack. */
export interface Subject extends SubjectPlan {
  /** Takes its state, before each measurement. */
  readonly enter: () => Promise<void>;
  /** Another state of the same stack, whose loads it shares. */
  readonly stateOf?: Subject;
  /** Its version and its parts, for the text of the result. */
  readonly about: string;
  /** Of a checkout, where git knows it. */
  readonly commit: string | undefined;
  readonly node: { readonly program: string; readonly version: string };
  readonly facts: Pick<StackFacts, 'baseUrl' | 'processes' | 'readyMs'>;
  /** Addresses of the parts of a Weft stack that are measured individually. */
  readonly parts?: Pick<StackFacts, 'mongodbUri' | 'workflowsTarget'>;
  readonly api: Api;
  /** Resident memory by process before any load. */
  readonly idleMiB: ReadonlyMap<string, number>;
  readonly stack: Pick<StackProcess, 'failed' | 'stop'>;
}

/** How programs of a kind are started. */
export interface SubjectKind {
  /** @throws StackError with the remedy if the folder does not contain such a program */
  readonly check: (folder: string) => void;
  /**
   * Starts a stack and reads its memory before any load.
   * @returns its states; most have one
   * @throws StackError with the reason if it cannot be started
   */
  readonly start: (plan: SubjectPlan, report: Report) => Promise<readonly Subject[]>;
}

/** This checkout. */
export const OWN_CHECKOUT = resolve(__dirname, '../../../../..');
