export {
  type AccountDeletion,
  type AccountDeletionOptions,
  createAccountDeletion,
} from './account-deletion.js'
export type { DueDeletions, DueOptions } from './due.js'
export type { DeletionFunctions } from './place.js'
