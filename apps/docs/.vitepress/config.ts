/** The site of the documentation: docs/ and the READMEs as they are, ordered by reader. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { emptyHeads, repositoryLinks } from './markdown.ts'
import { pageOf, ROOT } from './pages.ts'

const BUILD = [
  'getting-started',
  'your-own-server',
  'questions',
  'frameworks/python',
  'frameworks/go',
  'frameworks/apache-and-nginx',
  'frameworks/cli-and-native',
  'clients',
  'applications',
  'single-page-app',
  'frameworks/express',
  'frameworks/hono',
  'frameworks/react',
  'frameworks/angular',
  'protect-an-api',
  'embed-it',
  'connect-an-mcp-client',
  'device',
  'token-exchange',
  'private-key-jwt',
  'sender-constrained',
  'examples/index',
]
const RUN = [
  'run-it',
  'passkeys-and-codes',
  'mail',
  'claims-and-groups',
  'theme',
  'pages-and-languages',
  'events',
  'upgrade',
  'capacity',
  'performance',
]
const SECURE = ['security-model', 'fapi2', 'security']
const REFERENCE = [
  'configuration',
  'commands',
  'messages',
  'storage-adapters',
  'packages/core/index',
  'packages/resource-server/index',
  'packages/identity/index',
  'comparison',
  'comparison-tests',
  'performance-all',
  'contract-coverage',
  'architecture',
  'contributing',
  'changelog',
]

/** Not searched. */
const INTERNAL = new Set(['architecture.md', 'changelog.md', 'contract-coverage.md', 'contributing.md'])

/** By page: its file. */
const FILES: Readonly<Record<string, string>> = {
  'examples/index': 'examples/README.md',
  security: 'SECURITY.md',
  changelog: 'CHANGELOG.md',
  contributing: 'CONTRIBUTING.md',
}
const fileOf = (page: string): string =>
  FILES[page] ?? (page.endsWith('/index') ? page.replace(/index$/, 'README.md') : `docs/${page}.md`)

/** Its title is that of the page, so that a reader finds the words of the list on the page. */
function entry(page: string): DefaultTheme.SidebarItem {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(ROOT, fileOf(page)), 'utf8')) ?? []
  if (title === undefined) throw new Error(`${fileOf(page)} has no title`)
  return { text: title.replaceAll('`', ''), link: `/${page.replace(/index$/, '')}` }
}

const group = (text: string, pages: readonly string[]): DefaultTheme.SidebarItem => ({
  text,
  items: pages.map(entry),
})

const API = { text: 'API reference', link: '/api/', target: '_self' }

/** The browser gets its source: it uses nothing from outside. Null: the word says nothing about what is looked for. */
function searchedTerm(term: string): string | null {
  const word = term.toLowerCase()
  return ['a', 'an', 'and', 'do', 'from', 'how', 'i', 'in', 'is', 'my', 'of', 'the', 'to'].includes(word)
    ? null
    : word
}

/** As GitHub makes it: the links of the pages are written for it. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')

/** The pages are outside of this package: what they are compiled to imports the Vue of this one. */
const VUE = {
  name: 'vue-of-this-package',
  enforce: 'pre' as const,
  resolveId(this: Resolver, source: string) {
    return /^vue(?:\/|$)/.test(source) ? this.resolve(source, import.meta.filename, { skipSelf: true }) : null
  },
}

interface Resolver {
  resolve(source: string, importer: string, options: { skipSelf: boolean }): Promise<{ id: string } | null>
}

export default defineConfig({
  title: 'Ostiary',
  description: 'An OAuth 2.0 and OpenID Connect provider in TypeScript',
  lang: 'en',
  srcDir: ROOT,
  srcExclude: [
    '{.changeset,.github,test}/**',
    'apps/**/README.md',
    '**/{node_modules,dist,templates}/**',
    'README.md',
  ],
  rewrites(file) {
    const page = pageOf(file)
    if (page === null) throw new Error(`${file} has no place in the site: see pages.ts`)
    return `${page}.md`
  },
  transformPageData(page) {
    if (page.relativePath === 'index.md') page.frontmatter.outline = false
  },
  cleanUrls: true,
  ignoreDeadLinks: [/^\/api\//],
  markdown: {
    config(markdown) {
      repositoryLinks(markdown)
      emptyHeads(markdown)
    },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: anchorOf },
    languageAlias: { caddyfile: 'ini', conf: 'ini', haproxy: 'ini' },
  },
  vite: { plugins: [VUE] },
  themeConfig: {
    nav: [
      { text: 'Build', link: '/getting-started', activeMatch: `^/(?:${BUILD.join('|')})` },
      { text: 'Run', link: '/run-it' },
      { text: 'Secure', link: '/security-model' },
      { text: 'Reference', link: '/configuration' },
      API,
    ],
    sidebar: [
      group('Build', BUILD),
      group('Run', RUN),
      group('Secure', SECURE),
      { ...group('Reference', REFERENCE), items: [API, ...REFERENCE.map(entry)] },
    ],
    outline: [2, 3],
    search: {
      provider: 'local',
      // Pages for developers of Ostiary itself have the words of all others.
      options: {
        _render: (source, env, md) => (INTERNAL.has(env.relativePath) ? '' : md.render(source, env)),
        miniSearch: { options: { processTerm: searchedTerm } },
      },
    },
  },
})
