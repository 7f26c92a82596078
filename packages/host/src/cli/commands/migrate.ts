import { migrateDatabase } from '../../storage/migrate.js'
import type { Command } from '../command.js'

const stepName = ({ id, name }: { id: number; name: string }) => `${String(id).padStart(4, '0')}-${name}`

export const migrate: Command = {
  name: 'migrate',
  effect: 'changes',
  summary: 'Update the schema of the database that DATABASE_URL names',
  about: [
    'Run it after each update, before the servers start. It may run several times at once. The embedded database is migrated at each start.',
  ],
  options: { plan: { help: 'Print the SQL, and change nothing' } },
  examples: [
    ['ostiary migrate --plan', 'Print the steps'],
    ['ostiary migrate', 'Run them'],
  ],
  async run(input, { env, cwd }) {
    const plan_only = input.flag('plan')
    const steps = await migrateDatabase(env, { cwd, plan_only })
    const lines = steps.map((step) =>
      plan_only ? `-- ${stepName(step)} would run:\n${step.sql.trim()}` : `${stepName(step)} has run`,
    )
    const current = steps.length === 0 || !plan_only ? ['The schema is up to date.'] : []
    const json = { plan_only, steps: steps.map((step) => ({ step: stepName(step), sql: step.sql })) }
    const event = plan_only || steps.length === 0 ? null : { count: { steps: steps.length } }
    return { text: [...lines, ...current].join('\n'), json, event }
  },
}
