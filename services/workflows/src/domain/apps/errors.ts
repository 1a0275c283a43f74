import { ServiceError } from '@weft/service-kit/errors';

/** No app has this name. */
export class AppNotFound extends ServiceError {
  constructor(name: string) {
    const shown = name.slice(0, 100);
    super({
      reason: 'APP_NOT_FOUND',
      kind: 'not-found',
      message: `No app is called ${shown}.`,
      details: { app: shown },
    });
  }
}

/** Another app has one of the kinds. */
export class AppKindTaken extends ServiceError {
  /** @param holder the other app; empty if it is not known any more */
  constructor(kind: string, holder: string) {
    super({
      reason: 'APP_KIND_TAKEN',
      kind: 'conflict',
      message:
        `${holder === '' ? 'Another app' : `The app ${holder}`} already has the kind ${kind}. ` +
        'Remove it there, or use another name.',
      details: { kind, ...(holder === '' ? {} : { app: holder }) },
    });
  }
}

/** The instance has reached its limit of apps. */
export class TooManyApps extends ServiceError {
  constructor(limit: string) {
    super({
      reason: 'TOO_MANY_APPS',
      kind: 'precondition',
      message: `The limit of ${limit} for apps is reached. Delete an app first.`,
      details: { limit },
    });
  }
}

/** Active workflows use the app. */
export class AppInUse extends ServiceError {
  constructor(name: string, workflows: readonly { readonly id: string; readonly name: string }[]) {
    const names = workflows.map((workflow) => JSON.stringify(workflow.name.slice(0, 100))).join(', ');
    super({
      reason: 'APP_IN_USE',
      kind: 'precondition',
      message:
        `Active workflows use the app ${name}: ${names}. Deactivate them, or delete it with force=true: they keep ` +
        'their revision until they are saved or activated again.',
      details: { app: name, workflowIds: workflows.map(({ id }) => id).join(', ') },
    });
  }
}
