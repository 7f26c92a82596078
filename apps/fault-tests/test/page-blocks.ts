/** The blocks of docs/run-it.md, with which the drills start their servers. */

import { readFileSync } from 'node:fs'

const PAGE = readFileSync(new URL('../../../docs/run-it.md', import.meta.url), 'utf8')

/** The block that contains the text. */
export function blockWith(text: string): string {
  const found = PAGE.split('\n```').find((part, n) => n % 2 === 1 && part.includes(text))
  if (found === undefined) throw new Error(`docs/run-it.md has no block with ${text}`)
  return found.slice(found.indexOf('\n') + 1)
}

/** The lines of a block, without those that begin with one of these. */
export const linesWithout = (block: string, ...beginnings: string[]): string =>
  block
    .split('\n')
    .filter((line) => !beginnings.some((beginning) => line.startsWith(beginning)))
    .join('\n')

/** The REDIS_URL of a block, with the addresses of the test instead of those of the page. */
export function redisUrl(scheme: string, addresses: string): string {
  const url = blockWith(`REDIS_URL='${scheme}://`).split("'")[1] ?? ''
  return url.replace(/10\.0\.0\.1[\d.:,]*/, addresses)
}
