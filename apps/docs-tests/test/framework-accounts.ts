/** How the code blocks of docs/frameworks begin. The test of each page makes a project of them and runs it. */

import type { How } from './how.ts'

/** The entry of the client; applications.test.ts looks at it too. */
const ENTRY: [begins: string, how: How] = ['{', { configures: true }]

function page(name: string, before: string[], after: string[]): [page: string, blocks: [string, How][]] {
  const run: How = { runs: `apps/framework-tests/test/${name}.weekly.test.ts` }
  const all = (begins: string[]) => begins.map((each): [string, How] => [each, run])
  return [`docs/frameworks/${name}.md`, [...all(before), ENTRY, ...all(after)]]
}

export const FRAMEWORKS: Record<string, [begins: string, how: How][]> = Object.fromEntries([
  page('react', ['npm create vite@9'], ['// src/main.tsx', '// src/App.tsx', 'npm run build']),
  page(
    'express',
    [],
    ['mkdir my-app', '// server.mjs', 'mkdir my-app', '// server.mjs', 'export SESSION_SECRET='],
  ),
  page(
    'nextjs',
    ['npx create-next-app@16'],
    [
      '# .env.local',
      '// auth.ts',
      '// app/api/auth/[...nextauth]/route.ts',
      '// proxy.ts',
      '// app/page.tsx',
      '// app/notes/page.tsx',
      'export AUTH_SECRET=',
    ],
  ),
  page('hono', ['mkdir my-app'], ['// server.mjs', 'export OIDC_AUTH_SECRET=']),
  page(
    'vue',
    ['npm create vite@9'],
    ['// src/auth.ts', '// src/main.ts', '<!-- src/App.vue -->', 'npm run build'],
  ),
  page(
    'sveltekit',
    ['npx sv@0.17'],
    [
      '// src/app.d.ts',
      '// src/hooks.server.ts',
      '// src/routes/+page.server.ts',
      '<!-- src/routes/+page.svelte -->',
      '// src/routes/notes/+page.server.ts',
      '<!-- src/routes/notes/+page.svelte -->',
      'npm run check',
    ],
  ),
  page(
    'angular',
    ['npx @angular/cli@21'],
    ['// src/app/app.config.ts', '// src/app/app.ts', 'npm run build'],
  ),
])
