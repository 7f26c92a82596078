/** Each limit of the packages has a test at the limit and beyond it, or stands in a list that may only become shorter. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT, sourceFolders, sourcesOf } from './_sources.ts'
import { FIXED, MAX_UNTESTED, REAL_TIME, TESTED, UNTESTED } from './limits.ts'

const ENDS = 'SECONDS MS BYTES BATCH CHARACTERS LENGTH DAYS LIFETIME AFTER LIMIT'.split(' ').join('|')
const NAMES = `(?:MAX|MIN|BATCH)_[A-Z0-9_]+|[A-Z][A-Z0-9_]*_(?:${ENDS}|BATCH_[A-Z0-9_]+)`
const LIMIT = new RegExp(`^(?:export )?const (${NAMES})(?:: number)? = [^\\n{[(]+$`, 'gm')

const inSources = sourceFolders()
  .filter((folder) => folder.startsWith('packages/') || folder.endsWith('-server'))
  .flatMap((folder) =>
    sourcesOf(folder).flatMap(({ name, text }) =>
      [...text.matchAll(LIMIT)].map(
        ([, constant]) => `${folder.replace('packages/', '')}/src/${name}.ts ${constant}`,
      ),
    ),
  )
const listed = [...Object.keys(TESTED), ...FIXED, ...REAL_TIME, ...UNTESTED]

describe('the limits', () => {
  it('are all listed, once: a new one comes with its test', () => {
    expect(inSources.length).toBeGreaterThan(200)
    expect(listed.toSorted()).toEqual(inSources.toSorted())
  })

  it('have tests that exist', () => {
    const missing = Object.entries(TESTED).filter(
      ([, [file, line]]) => !readFileSync(join(ROOT, file), 'utf8').includes(line),
    )
    expect(missing).toEqual([])
  })

  it('that are not tried become fewer', () => {
    expect(UNTESTED).toHaveLength(MAX_UNTESTED)
  })
})
