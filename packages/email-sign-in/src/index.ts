export {
  type AddressUse,
  createEmailSignIn,
  type EmailSignIn,
  type EmailSignInOptions,
} from './email-sign-in.js'
export type { AddressEntries } from './entries.js'
