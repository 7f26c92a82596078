/** Where code of a bundled program comes from, by the source maps beside its files. */

import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'

/** A function; line and column count from 0. */
export interface CallFrame {
  functionName: string
  url: string
  lineNumber: number
  columnNumber: number
}

/** The frame as it is in the file that was bundled; the same frame where no map says more. */
export function originalFrames(): (frame: CallFrame) => CallFrame {
  const maps = new Map<string, SourceMap | null>()
  return (frame) => {
    const { url, lineNumber, columnNumber } = frame
    if (!url.startsWith('file:')) return frame
    let map = maps.get(url)
    if (map === undefined) {
      map = mapOf(url)
      maps.set(url, map)
    }
    const entry = map?.findEntry(lineNumber, columnNumber)
    if (entry === undefined || !('originalSource' in entry)) return frame
    return { ...frame, url: new URL(entry.originalSource, url).href, lineNumber: entry.originalLine }
  }
}

function mapOf(url: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')) as SourceMapPayload)
  } catch {
    return null
  }
}
