/** Finds a Chromium for the browser tests, once. Without one they fail and say what to install. */

import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type {} from './chromium.ts'
import { installDebian, succeeds } from './debian.ts'

export function setup(project: TestProject): void {
  project.provide('chromium', findChromium())
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

function findChromium(): string {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH) {
    if (runs(CHROMIUM_PATH)) return CHROMIUM_PATH
    throw new Error(`CHROMIUM_PATH names ${CHROMIUM_PATH}, which does not run.`)
  }
  const found =
    places().find(runs) ??
    (installDebian(['chromium'], 'the browser tests') ? places().find(runs) : undefined)
  if (found !== undefined) return found
  throw new Error(
    'The browser tests need Chromium, and there is none. Install it (Debian: apt-get install chromium; macOS: brew install --cask ' +
      'chromium; or Google Chrome), or set CHROMIUM_PATH to its executable. As root on Debian the tests install it themselves.',
  )
}

function places(): string[] {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin']
  const apps = ['/Applications', join(homedir(), 'Applications')]
  return [
    ...NAMES.flatMap((name) => folders.filter(Boolean).map((folder) => join(folder, name))),
    '/opt/google/chrome/chrome',
    ...apps.map((folder) => join(folder, 'Chromium.app/Contents/MacOS/Chromium')),
    ...apps.map((folder) => join(folder, 'Google Chrome.app/Contents/MacOS/Google Chrome')),
  ]
}

/** A file is not enough: Ubuntu's package is a pointer to a snap, which containers cannot start. */
const runs = (path: string): boolean => existsSync(path) && succeeds(path, '--version')
