export { importUsers, type RefusedUser, type UserImport } from './import/import-users.js'
export { type ReadUser, UserLinesError } from './import/read-users.js'
export type { ImportTarget, UserLine } from './import/target.js'
export { type RealmSignIn, USER_KEYS, userLineCheck } from './import/user-line.js'
