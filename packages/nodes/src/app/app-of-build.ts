import { APPS, readApp } from '@weft/apps';
import { describeKind } from '../descriptors/kinds';
import type { LoadedApp } from './app-run';

/** The app of the build that has a kind; undefined if none has. */
export function appOfBuild(kind: string): LoadedApp | undefined {
  const entry = APPS.find(({ kinds }) => kinds.includes(kind));
  const descriptor = entry === undefined ? undefined : describeKind(kind);
  return entry === undefined || descriptor === undefined ? undefined : { app: readApp(entry.name), descriptor };
}
