import { argon2Passwords, PasswordModuleError } from '@ostiary/identity'
import { type Finding, fault, ok } from './finding.js'

/** Checks that the native module that hashes passwords is installed, and is one for this machine. */
export async function checkPasswords(): Promise<Finding> {
  try {
    await argon2Passwords().ready()
    return ok('passwords', 'argon2 can be loaded')
  } catch (error) {
    if (error instanceof PasswordModuleError) return fault('passwords', error.fault, error.advice)
    throw error
  }
}
