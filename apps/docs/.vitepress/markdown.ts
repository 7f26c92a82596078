/** What the site changes in the pages, which are written for readers of the repository. */

import { relative } from 'node:path'
import { ROOT, targetOf } from './pages.ts'

interface Token {
  type: string
  tag: string
  content: string
  children: Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

interface State {
  tokens: Token[]
  env: { path?: string; realPath?: string }
}

interface Markdown {
  core: { ruler: { push(name: string, rule: (state: State) => void): void } }
}

/** Links lead to pages of the site, or name files that only the repository has. */
export function repositoryLinks(markdown: Markdown): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const file = relative(ROOT, env.realPath ?? env.path ?? '')
    for (const { children } of tokens) if (children !== null) changeLinks(children, file)
  })
}

function changeLinks(tokens: readonly Token[], file: string): void {
  let in_text = false
  for (const token of tokens) {
    if (token.type === 'link_close' && in_text) {
      in_text = false
      asText(token)
    }
    if (token.type !== 'link_open') continue
    const target = targetOf(token.attrGet('href') ?? '', file)
    if (target === null) continue
    if ('page' in target) {
      token.attrSet('href', target.page)
      continue
    }
    in_text = true
    asText(token)
    token.attrSet('title', `In the repository: ${target.file}`)
  }
}

/** A file that the site does not have is named, and is no link. */
function asText(token: Token): void {
  token.type = token.type === 'link_open' ? 'span_open' : 'span_close'
  token.tag = 'span'
}

/** The head of a column without a name is an empty cell: a screen reader would announce a heading that says nothing. */
export function emptyHeads(markdown: Markdown): void {
  markdown.core.ruler.push('empty-heads', ({ tokens }) => {
    for (const [i, open] of tokens.entries()) {
      const [content, close] = tokens.slice(i + 1, i + 3)
      if (open.type !== 'th_open' || content?.content !== '' || close === undefined) continue
      open.tag = 'td'
      close.tag = 'td'
    }
  })
}
