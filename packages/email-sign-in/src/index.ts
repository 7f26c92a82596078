export {
  type AddressUse,
  createEmailSignIn,
  type EmailSignIn,
  type EmailSignInOptions,
} from './email-sign-in.js'
export type { AddressEntries } from './entries.js'
export type { Once } from './fill.js'
export { type NameKeys, signInWithFaults } from './settings.js'
