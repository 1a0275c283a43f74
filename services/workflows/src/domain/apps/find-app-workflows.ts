import type { VersionStore, WorkflowStore } from '../ports';

/** A workflow that uses an app. */
export interface AppWorkflow {
  readonly id: string;
  readonly name: string;
}

/** Active workflows whose current version uses an app, at most 20. */
export type FindAppWorkflows = (app: string) => Promise<readonly AppWorkflow[]>;

const MAX_LISTED = 20;
const PAGE = 200;
/** Most versions of a frequently saved workflow are not the current one. */
const MAX_PAGES = 50;

/** Creates the search. Only owners and admins, who see all workflows, delete apps. */
export const createFindAppWorkflows = (
  workflows: Pick<WorkflowStore, 'summaries'>,
  versions: Pick<VersionStore, 'findUsingApp'>,
): FindAppWorkflows =>
  async function findAppWorkflows(app) {
    const found = new Map<string, AppWorkflow>();
    let after = '';
    for (let page = 0; page < MAX_PAGES && found.size < MAX_LISTED; page += 1) {
      const using = await versions.findUsingApp(app, after, PAGE);
      const current = new Map(
        (await workflows.summaries([...new Set(using.map(({ workflowId }) => workflowId))])).map((workflow) => [
          workflow.versionId,
          workflow,
        ]),
      );
      for (const { id } of using) {
        const workflow = current.get(id);
        if (workflow?.active === true && found.size < MAX_LISTED)
          found.set(workflow.id, { id: workflow.id, name: workflow.name });
      }
      after = using.at(-1)?.id ?? '';
      if (using.length < PAGE) break;
    }
    return [...found.values()];
  };
