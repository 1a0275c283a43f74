export { createChooseOwner, type CheckDestination, type ChooseOwner } from './choose-owner';
export { boundReached, type CountOwnedBy } from './owner-share';
