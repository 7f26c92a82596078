/**
 * What `pnpm registry` does before the registry runs: installs everything and builds it, and says so first.
 *
 *   node scripts/registry.mjs
 */

import { installAll, run, step } from './steps.mjs'

console.log(
  'This builds all packages of the clone, and publishes them in a registry on this machine. It takes a minute or two.\n',
)
await step('Installing all packages', installAll)
await step('Building all packages', () => run(['exec', 'turbo', 'run', 'build', '--output-logs=errors-only']))
console.log('Publishing the packages …')
