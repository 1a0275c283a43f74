import type { StackError } from '../errors';
import type { NatsServer } from '../nats/nats-server';
import type { ManagedProcess } from '../processes/managed-process';
import { SERVICES } from './services';
import type { ServiceName } from './services';
import type { StackBase } from './stack-base';
import type { StackProcess } from './stack-process';

/** A running stack. */
export class Stack {
  private stopping: Promise<void> | undefined;
  private isHandedOver = false;

  /**
   * @param processes in the order they were started.
   * @param grpcTargets of each service, all its replicas, in the form `ipv4:127.0.0.1:7001,127.0.0.1:7011`.
   */
  constructor(
    private readonly base: StackBase,
    readonly processes: readonly StackProcess[],
    readonly grpcTargets: Readonly<Record<ServiceName, string>>,
  ) {}

  /** `http://127.0.0.1:PORT` of each gateway. */
  get baseUrls(): string[] {
    return this.of('gateway').map(({ port }) => `http://127.0.0.1:${port}`);
  }

  get apiKey(): string {
    return this.base.secrets.ownerApiKey;
  }

  get ownerEmail(): string {
    return this.base.secrets.ownerEmail;
  }

  get ownerPassword(): string {
    return this.base.secrets.ownerPassword;
  }

  /** The private key by which a service signs its tokens, as in SERVICE_KEY. */
  serviceKeyOf(service: ServiceName): string {
    return this.base.secrets.serviceKeys[service].privateKey;
  }

  /** Data folder; logs are in `logs` below it. */
  get dataDir(): string {
    return this.base.folder.path;
  }

  get mongodbUri(): string {
    return this.base.servers.mongodbUri;
  }

  get natsUrl(): string {
    return this.base.servers.natsUrl;
  }

  /** First part of the names of this stack's databases: `<namespace>_workflows` and so on. */
  get namespace(): string {
    return this.base.namespace;
  }

  /** The processes of NATS and MongoDB that this stack started itself. */
  get servers(): readonly ManagedProcess[] {
    return this.base.servers.processes;
  }

  /** The replicas of one service. */
  of(service: ServiceName): StackProcess[] {
    return this.processes.filter((each) => each.service === service);
  }

  /**
   * Resolves with a sentence as soon as a process ends that was not stopped. Not for stacks whose processes get
   * restarted.
   */
  unexpectedEnd(): Promise<StackError> {
    return new Promise((settle) => {
      for (const each of [...this.processes, ...this.servers]) {
        void each.ended.then(() => {
          if (this.stopping === undefined) settle(each.describeEnd());
        });
      }
    });
  }

  /** Kills NATS and removes its streams. Only for a stack that started its servers. */
  async killNatsAndItsStore(): Promise<void> {
    await this.ownNats().lose();
  }

  /** Starts NATS again on the same port, empty if its store was removed. */
  async startNatsAgain(): Promise<void> {
    await this.ownNats().startAgain();
  }

  /** Kills MongoDB with SIGKILL; acknowledged writes are on its disk. Only for a stack that started its servers. */
  async killMongodb(): Promise<void> {
    await this.base.servers.mongodb.crash();
  }

  /** Starts MongoDB again on the same port after it was killed. */
  async startMongodbAgain(): Promise<void> {
    await this.base.servers.mongodb.startAgain();
  }

  /** Stops the services one after another, those that take requests first, then NATS and MongoDB. */
  stop(): Promise<void> {
    this.stopping ??= this.stopServices().then(() => (this.isHandedOver ? undefined : this.base.clear()));
    return this.stopping;
  }

  /** Stops the services and transfers their base to another stack, which must then stop it. */
  async handOver(): Promise<StackBase> {
    if (this.stopping !== undefined) throw new Error('A stack that was stopped has no servers to hand over.');
    this.isHandedOver = true;
    await this.stop();
    return this.base;
  }

  private ownNats(): NatsServer {
    const { nats } = this.base.servers;
    if (nats === undefined)
      throw new Error('This NATS server was not started by this stack; start the stack with ownServers.');
    return nats;
  }

  private async stopServices(): Promise<void> {
    for (const service of [...SERVICES].reverse()) await Promise.all(this.of(service).map((each) => each.stop()));
  }
}
