export { joinReplicas, REPLICAS_COLLECTION, type Replicas, type ReplicasOptions } from './join-replicas';
export { createRoster, type Roster } from './roster';
export { createTakeMine, TAKEOVER_MS, type Share, type TakeMineOptions } from './take-mine';
