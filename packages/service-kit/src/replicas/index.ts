export { joinReplicas, REPLICAS_COLLECTION, type Replicas, type ReplicasOptions } from './join-replicas';
export { createRoster, type Roster } from './roster';
