/** The commands `migrate` and `migrate --plan`. */

import { failureText, migrateDatabase } from '@ostiary/host'

/** @returns The exit code: 0, or 1 when the database could not be migrated. */
export async function migrate({ plan_only }: { plan_only: boolean }): Promise<number> {
  try {
    const steps = await migrateDatabase(process.env, plan_only)
    for (const { id, name, sql } of steps) {
      const step = `${String(id).padStart(4, '0')}-${name}`
      process.stdout.write(plan_only ? `-- ${step} would run:\n${sql.trim()}\n` : `${step} has run\n`)
    }
    if (steps.length === 0 || !plan_only) process.stdout.write('The schema is up to date.\n')
    return 0
  } catch (error) {
    process.stderr.write(failureText(error))
    return 1
  }
}
