/** The commands `keys list` and `keys rotate`. */

import { createLog, failureText, manageRealm } from '@ostiary/host'

/** @returns The exit code: 0, or 1 when the keys could not be reached. */
export async function keys({ rotate, realm }: { rotate: boolean; realm: string }): Promise<number> {
  try {
    const log = createLog({ write: (line) => process.stderr.write(`${line}\n`) })
    await manageRealm(process.env, { cwd: process.cwd(), realm, log }, async (management) => {
      await management.keys.ready()
      if (rotate) {
        const { kid, signs_from } = await management.keys.rotate()
        process.stdout.write(`${kid} is published and signs from ${iso(signs_from)}\n`)
        return
      }
      for (const { kid, alg, created_at, signs_from } of await management.keys.list())
        process.stdout.write(`${kid} ${alg} created ${iso(created_at)} signs from ${iso(signs_from)}\n`)
    })
    return 0
  } catch (error) {
    process.stderr.write(failureText(error))
    return 1
  }
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString()
