import type { AppDocument } from '../app-document.gen';
import type { SourceProblem } from '../source/read-source';

/** Triggers of an app that a user adds: nothing would start their workflows. */
export function triggerProblems({ kinds }: AppDocument): SourceProblem[] {
  return Object.entries(kinds).flatMap(([name, kind]) =>
    (['webhook', 'poll'] as const)
      .filter((block) => kind[block] !== undefined)
      .map((block) => ({
        path: ['kinds', name, block],
        message:
          'An app that is added to an instance cannot have triggers. ' +
          'Start the workflow with a schedule or a webhook, and read what is new with an operation.',
      })),
  );
}
