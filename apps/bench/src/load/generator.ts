/** The load generator's process: takes one job from its parent, answers and ends. */

import { generate } from './generate.js'
import type { LoadJob } from './load-job.js'

process.once('message', (job: LoadJob) => {
  generate(job).then(
    (result) => process.send?.({ result }, () => process.exit(0)),
    (error: unknown) => process.send?.({ error: `${error}` }, () => process.exit(1)),
  )
})
