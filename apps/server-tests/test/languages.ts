/** The languages in which the pages are looked at, and one that is written from right to left. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The locale of the browser, and the language of the pages. */
export const LOCALES = [
  ['en-US', 'en'],
  ['de-DE', 'de'],
  ['fr-FR', 'fr'],
  ['ar-EG', 'ar'],
] as const

/** The part of a configuration that adds Arabic, for the running test. Its texts are English: the pages are about the direction. */
export function withArabic(): { languages: { files: string[] } } {
  const folder = mkdtempSync(join(tmpdir(), 'ostiary-languages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'ar.json')
  writeFileSync(file, JSON.stringify({ language: 'ar', messages: { 'sign_in.title': 'تسجيل الدخول' } }))
  return { languages: { files: [file] } }
}
