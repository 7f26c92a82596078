/** Each two spaces of an indentation are a tab: the same to a reader, in half the bytes. */

import { parseAst } from 'rolldown/parseAst'

/** @param {(at: number) => boolean} keeps Whether the line that begins there stays as it is. */
export const tabbed = (code, keeps = () => false) =>
  code.replace(/^(?: {2})+/gm, (spaces, at) => (keeps(at) ? spaces : '\t'.repeat(spaces.length / 2)))

/** Of JavaScript, whose templates keep their text. */
export function tabbedScript(code) {
  const templates = templatesIn(parseAst(code).body)
  return tabbed(code, (at) => templates.some(({ start, end }) => start < at && at < end))
}

function templatesIn(node, found = []) {
  if (Array.isArray(node)) for (const child of node) templatesIn(child, found)
  else if (node?.type === 'TemplateLiteral') found.push(node)
  else if (typeof node?.type === 'string') for (const child of Object.values(node)) templatesIn(child, found)
  return found
}
